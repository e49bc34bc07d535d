//! Messages with descriptors over a Unix stream socket.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// Descriptors in one message at most; the kernel's limit is 253.
pub const MOST_DESCRIPTORS: usize = 200;

/// One end of a connection between two processes.
#[derive(Debug)]
pub struct Channel {
    socket: UnixStream,
    /// Longest message accepted from the other side.
    most_bytes: usize,
}

/// What one `send` sent.
#[derive(Debug, Default)]
pub struct Message {
    pub bytes: Vec<u8>,
    pub descriptors: Vec<OwnedFd>,
}

impl Channel {
    pub fn new(socket: UnixStream, most_bytes: usize) -> Self {
        Self { socket, most_bytes }
    }

    /// Both ends of a new connection.
    pub fn pair(most_bytes: usize) -> io::Result<(Self, Self)> {
        let (one, other) = UnixStream::pair()?;
        Ok((Self::new(one, most_bytes), Self::new(other, most_bytes)))
    }

    pub fn socket(&self) -> &UnixStream {
        &self.socket
    }

    pub fn into_socket(self) -> UnixStream {
        self.socket
    }

    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::new(self.socket.try_clone()?, self.most_bytes))
    }

    /// The longest that the other side may leave a message half read or half written. Then sending or receiving fails.
    pub fn set_patience(&self, time: Duration) -> io::Result<()> {
        self.socket.set_read_timeout(Some(time))?;
        self.socket.set_write_timeout(Some(time))
    }

    /// Sends a message. At most [`MOST_DESCRIPTORS`] descriptors go with it.
    pub fn send(&self, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        let length = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let header = length.to_le_bytes();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // The header is a few bytes, which the kernel sends whole.
        sendmsg(&self.socket, &[IoSlice::new(&header)], &mut control, SendFlags::NOSIGNAL)?;
        (&self.socket).write_all(bytes)
    }

    /// Waits so long for a message, or for the other side to close the connection. False if nothing came.
    pub fn wait(&self, time: Duration) -> io::Result<bool> {
        self.poll(libc::POLLIN, time)
    }

    /// Waits so long for the other side to close the connection. False if it is open still.
    pub fn wait_until_closed(&self, time: Duration) -> io::Result<bool> {
        self.poll(libc::POLLRDHUP, time)
    }

    fn poll(&self, events: libc::c_short, time: Duration) -> io::Result<bool> {
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut asked = libc::pollfd { fd: self.socket.as_raw_fd(), events, revents: 0 };
            // SAFETY: the call reads and writes one entry.
            let found = unsafe { libc::poll(&mut asked, 1, left.as_millis().min(1 << 30) as libc::c_int) };
            match (found, io::Error::last_os_error()) {
                (-1, error) if error.kind() == io::ErrorKind::Interrupted => {}
                (-1, error) => return Err(error),
                (found, _) => return Ok(found > 0),
            }
        }
    }

    /// Waits for the next message; `None` when the other side has closed the connection.
    pub fn receive(&self) -> io::Result<Option<Message>> {
        let mut header = [0; 4];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = loop {
            let mut parts = [IoSliceMut::new(&mut header)];
            match recvmsg(&self.socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Err(rustix::io::Errno::INTR) => {}
                // A process that ends without having read everything resets the connection.
                Err(rustix::io::Errno::CONNRESET) => return Ok(None),
                received => break received?,
            }
        };
        let mut descriptors = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                descriptors.extend(received);
            }
        }
        match received.bytes {
            0 => return Ok(None),
            4 => {}
            count => (&self.socket).read_exact(&mut header[count..])?,
        }
        let length = u32::from_le_bytes(header) as usize;
        if length > self.most_bytes {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
        }
        let mut bytes = vec![0; length];
        (&self.socket).read_exact(&mut bytes)?;
        Ok(Some(Message { bytes, descriptors }))
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::fs::File;
    use std::io::{Seek, SeekFrom};

    #[test]
    fn waiting_ends_with_a_message_with_the_other_side_or_after_the_time() {
        let (one, other) = Channel::pair(100).unwrap();
        let moment = Duration::from_millis(20);
        assert!(!other.wait(moment).unwrap());
        one.send(b"now", &[]).unwrap();
        assert!(other.wait(moment).unwrap());
        assert!(!other.wait_until_closed(moment).unwrap());
        assert_eq!(other.receive().unwrap().unwrap().bytes, b"now");
        drop(one);
        assert!(other.wait(moment).unwrap());
        assert!(other.wait_until_closed(moment).unwrap());
        assert!(other.receive().unwrap().is_none());
    }

    #[test]
    fn messages_arrive_in_order_with_their_descriptors() {
        let (one, other) = Channel::pair(1 << 20).unwrap();
        let mut file: File = tempfile::tempfile().unwrap();
        file.write_all(b"content").unwrap();
        let long = vec![7; 100_000];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                one.send(b"first", &[]).unwrap();
                one.send(b"", &[file.as_fd(), file.as_fd()]).unwrap();
                one.send(&long, &[]).unwrap();
            });
            assert_eq!(other.receive().unwrap().unwrap().bytes, b"first");
            let second = other.receive().unwrap().unwrap();
            assert_eq!(second.descriptors.len(), 2);
            let mut received = File::from(second.descriptors.into_iter().next().unwrap());
            received.seek(SeekFrom::Start(0)).unwrap();
            assert_eq!(io::read_to_string(received).unwrap(), "content");
            assert_eq!(other.receive().unwrap().unwrap().bytes, long);
        });
        drop(one);
        assert!(other.receive().unwrap().is_none());
    }

    #[test]
    fn half_a_message_is_not_waited_for_forever() {
        let (one, other) = Channel::pair(100).unwrap();
        other.set_patience(Duration::from_millis(20)).unwrap();
        one.socket().write_all(&8_u32.to_le_bytes()).unwrap();
        assert_eq!(other.receive().unwrap_err().kind(), io::ErrorKind::WouldBlock);
        let long = vec![0; 10 << 20];
        assert_eq!(other.send(&long, &[]).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn a_message_longer_than_the_limit_is_refused() {
        let (one, other) = Channel::pair(10).unwrap();
        one.send(&[0; 11], &[]).unwrap();
        assert_eq!(other.receive().unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
