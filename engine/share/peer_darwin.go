package share

import "golang.org/x/sys/unix"

// peerOf returns the user and the process at the other end of a Unix socket. The
// process is 0 where the system does not say it.
func peerOf(fd int) (uid, pid int, err error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return -1, 0, err
	}
	pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		pid = 0
	}
	return int(cred.Uid), pid, nil
}
