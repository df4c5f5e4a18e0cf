//! Links libgcc's unwinder into the program, where the C toolchain has it as an archive: std wants it for a backtrace
//! only, and a shared library less to load is a tenth of the time of a start (benches/README.md).

use std::path::Path;
use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && env::var("HOST") == env::var("TARGET")
        && let Ok(told) = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output()
        && let Ok(path) = std::str::from_utf8(&told.stdout)
        && let Some(directory) = Path::new(path.trim()).parent().filter(|directory| directory.is_absolute())
    {
        println!("cargo:rustc-link-search=native={}", directory.display());
        println!("cargo:rustc-link-lib=static=gcc_eh");
    }
}
