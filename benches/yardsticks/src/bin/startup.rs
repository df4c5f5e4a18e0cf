//! startup N PROGRAM [ARGUMENT]... : N runs of a program, each in turn with one of `constant`: the median of the ratios.
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let runs = arguments.next().expect("N").parse::<usize>().expect("N");
    let constant = std::env::current_exe()?.with_file_name("constant");
    let mut commands = [Command::new(arguments.next().expect("PROGRAM")), Command::new(constant)];
    commands[0].args(arguments);
    let mut run = |number: usize| -> Duration {
        let start = Instant::now();
        assert!(commands[number].stdin(Stdio::null()).stdout(Stdio::null()).status().expect("it starts").success());
        start.elapsed()
    };
    let mut pairs: Vec<_> = (0..runs).map(|_| (run(0), run(1))).collect();
    let ratio = |pair: &(Duration, Duration)| pair.0.as_secs_f64() / pair.1.as_secs_f64();
    pairs.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let middle = ratio(&pairs[runs / 2]);
    pairs.sort();
    let program = pairs[runs / 2].0;
    pairs.sort_by_key(|pair| pair.1);
    println!("{program:?}, constant {:?}: ratio {middle:.3}", pairs[runs / 2].1);
    Ok(())
}
