//! Enums whose variants have a name in a standard.

/// Makes an enum, and `name`, from one list of variants and names.
macro_rules! named {
    ($(#[$outer:meta])* pub enum $enum:ident { $($(#[$inner:meta])* $variant:ident $name:literal,)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum {
            $($(#[$inner])* $variant),+
        }

        impl $enum {
            /// Its name in the standard.
            pub fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name),+
                }
            }
        }
    };
}
