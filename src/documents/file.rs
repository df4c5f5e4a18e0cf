//! The file of a document that is written back: whether its name is still its own, and what the new file
//! gets from it.

use std::fs::{File, Metadata};
use std::io;

#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

/// Whether what is at a path now is the file that was opened, and has not changed, as far as the system reports that.
pub fn is_unchanged(opened: &Metadata, now: &Metadata) -> bool {
    identity(now) == identity(opened) && now.len() == opened.len() && now.modified().ok() == opened.modified().ok()
}

/// The device and the number of a file; no other file has them while it is open.
#[cfg(unix)]
fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// The device and the number of a file: std does not report them.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// Whether a file has several names.
#[cfg(unix)]
pub fn has_other_names(file: &Metadata) -> bool {
    file.nlink() > 1
}

/// Whether a file has several names: std does not report it.
#[cfg(not(unix))]
pub fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives a new file the owner, the group, the access control list and the permissions of an old one, as far as that is
/// allowed. Nobody else may do more with it than with the old one. Returns why it does not get the owner or the group,
/// if that is not because it may not.
///
/// # Errors
/// It cannot get permissions.
#[cfg(unix)]
pub fn copy_permissions(old: &File, opened: &Metadata, new: &File) -> io::Result<Option<io::Error>> {
    let given = fchown(new, None, Some(opened.gid()));
    let has_group = given.is_ok();
    // mostly it has that owner; only root may give it to another one
    let given_to = fchown(new, Some(opened.uid()), None);
    let list = access_list::read(old);
    access_list::remove(new); // its directory may have given it one
    let [owner, group, others] = [0o700, 0o070, 0o007].map(|bits| opened.mode() & bits);
    let least = others & (group >> 3);
    let mode = match (&list, has_group) {
        (Some(_), _) => owner, // the bits of the group are not those of the group then
        (None, true) => owner | group | others,
        (None, false) => owner | least << 3 | least,
    };
    new.set_permissions(std::fs::Permissions::from_mode(mode))?;
    if let Some(list) = list.filter(|_| has_group) {
        access_list::write(new, &list);
    }
    Ok([given, given_to].into_iter().filter_map(Result::err).find(|why| why.kind() != io::ErrorKind::PermissionDenied))
}

/// Gives a new file the permissions of an old one.
///
/// # Errors
/// It cannot get them.
#[cfg(not(unix))]
pub fn copy_permissions(_: &File, opened: &Metadata, new: &File) -> io::Result<Option<io::Error>> {
    new.set_permissions(opened.permissions()).map(|()| None)
}

/// The access control lists of Linux: attributes of files.
#[cfg(target_os = "linux")]
mod access_list {
    use std::fs::File;

    use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr};

    const NAME: &str = "system.posix_acl_access";

    /// The bytes that an attribute can have.
    const MAX_ATTRIBUTE: usize = 64 * 1024;

    /// The list of a file, if it has one.
    pub fn read(file: &File) -> Option<Vec<u8>> {
        let mut list = vec![0; MAX_ATTRIBUTE];
        let length = fgetxattr(file, NAME, &mut list[..]).ok()?;
        list.truncate(length);
        Some(list)
    }

    /// Gives a file a list and the permissions in it, where that is possible.
    pub fn write(file: &File, list: &[u8]) {
        let _ = fsetxattr(file, NAME, list, XattrFlags::empty());
    }

    /// Takes the list of a file away, if it has one.
    pub fn remove(file: &File) {
        let _ = fremovexattr(file, NAME);
    }
}

/// The access control lists of other systems, which are not kept.
#[cfg(all(unix, not(target_os = "linux")))]
mod access_list {
    use std::fs::File;

    pub fn read(_: &File) -> Option<Vec<u8>> {
        None
    }

    pub fn write(_: &File, _: &[u8]) {}

    pub fn remove(_: &File) {}
}
