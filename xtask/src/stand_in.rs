//! The stand-in server of the clients' tests: started for a step, gone when the step is over.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::command;

/// A running stand-in; dropping it ends it.
pub(crate) struct StandIn {
    child: Child,
    /// Where it listens, as `http://127.0.0.1:PORT`.
    pub(crate) address: String,
}

impl StandIn {
    /// Starts it and waits until it listens.
    pub(crate) fn start() -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("the stand-in server: {error}\n");
        let mut command = Command::new(command::node()?);
        // Its end of our pipe closes when we are gone, however that happens, and then it ends.
        command.args(["tests/stand_in/server.mjs", "--with-parent"]).stdin(Stdio::piped());
        command.current_dir(command::workspace()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let output = child.stdout.take();
        let mut stand_in = Self { child, address: String::new() };
        let mut line = String::new();
        BufReader::new(output.ok_or_else(|| failed(&"it has no output"))?)
            .read_line(&mut line)
            .map_err(|error| failed(&error))?;
        stand_in.address = address(&line).ok_or_else(|| failed(&format!("it said `{}`", line.trim())))?.to_owned();
        Ok(stand_in)
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn address(line: &str) -> Option<&str> {
    line.trim().strip_prefix("listening on ").filter(|address| address.starts_with("http://127.0.0.1:"))
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn only_its_first_words_are_an_address() {
        for line in ["", "\n", "listening on", "listening on port 8631", "Error: listen EACCES http://127.0.0.1:8631"] {
            assert_eq!(address(line), None, "{line}");
        }
        assert_eq!(address("listening on http://127.0.0.1:8631\n"), Some("http://127.0.0.1:8631"));
    }

    #[test]
    fn two_run_side_by_side_and_are_gone_when_they_are_dropped() {
        let socket = |stand_in: &StandIn| stand_in.address.replace("http://", "");
        let (one, two) = (StandIn::start().unwrap(), StandIn::start().unwrap());
        assert_ne!(one.address, two.address);
        let (first, second) = (socket(&one), socket(&two));
        assert!(TcpStream::connect(&first).is_ok() && TcpStream::connect(&second).is_ok());
        drop(two);
        assert!(TcpStream::connect(&first).is_ok() && TcpStream::connect(&second).is_err());
    }
}
