//! Child processes: their output is kept, and only a sign of life is shown while they run.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a running command's newest line is shown: CI systems kill what is silent for long.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Runs `command` at the root of the workspace; the result is its output and errors, as they came.
pub(crate) fn run(mut command: Command) -> Result<String, String> {
    let line = shown(&command);
    let failed = |error: io::Error| format!("{line}\n{error}\n");
    let (reader, writer) = io::pipe().map_err(failed)?;
    command.current_dir(workspace()).stdin(Stdio::null());
    command.stdout(writer.try_clone().map_err(failed)?).stderr(writer);
    let mut child = command.spawn().map_err(failed)?;
    // Closes our ends of the pipe, or it would never come to its end.
    drop(command);

    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });

    let mut output = String::new();
    let mut newest = String::new();
    let mut last_sign = Instant::now();
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(text) => {
                output.push_str(&text);
                output.push('\n');
                newest = text;
            }
            // A process that the child left behind may hold the pipe open.
            Err(RecvTimeoutError::Timeout) if child.try_wait().map_err(failed)?.is_some() => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if last_sign.elapsed() >= SIGN_OF_LIFE {
            println!("        … {}", newest.trim());
            last_sign = Instant::now();
        }
    }
    let status = child.wait().map_err(failed)?;
    if status.success() { Ok(output) } else { Err(format!("{line}\n{output}{status}\n")) }
}

/// The first of `names` that is a file on PATH.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let candidates = names.iter().flat_map(|name| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        folders.iter().map(move |folder| folder.join(&file))
    });
    candidates.into_iter().find(|path| path.is_file())
}

/// The cargo that runs us, with the words of `line` as its arguments.
pub(crate) fn cargo(line: &str) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(line.split_whitespace());
    command
}

/// Node, which runs wasm tests and the stand-in server.
pub(crate) fn node() -> Result<PathBuf, String> {
    find(&["node"]).ok_or_else(|| "Node is not on PATH: install Node 20 or newer\n".to_owned())
}

/// The root of the workspace. Cargo says at run time where this package is; a build may be moved.
pub(crate) fn workspace() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(package).join("..")
}

fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args()).map(|word| word.to_string_lossy());
    format!("$ {}", words.collect::<Vec<_>>().join(" "))
}
