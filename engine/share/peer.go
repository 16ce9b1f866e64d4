package share

import (
	"fmt"
	"net"
	"os"
)

// checkPeer refuses a connection whose other end is another user: the leader would
// show it files, and a stranger who listens in our place would be believed. It returns
// the process there, 0 where the system does not say it.
func checkPeer(c net.Conn) (pid int, err error) {
	uc, ok := c.(*net.UnixConn)
	if !ok {
		return 0, fmt.Errorf("check peer: %T is no Unix socket", c)
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("check peer: %w", err)
	}
	uid := -1
	var serr error
	if err := raw.Control(func(fd uintptr) { uid, pid, serr = peerOf(int(fd)) }); err != nil {
		return 0, fmt.Errorf("check peer: %w", err)
	}
	if serr != nil {
		return 0, fmt.Errorf("check peer: %w", serr)
	}
	if uid != os.Geteuid() {
		return 0, fmt.Errorf("check peer: user %d is not ours", uid)
	}
	return pid, nil
}
