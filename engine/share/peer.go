package share

import (
	"fmt"
	"net"
	"os"
)

// checkPeer refuses a connection whose other end is another user: the leader would
// show it files, and a stranger who listens in our place would be believed.
func checkPeer(c net.Conn) error {
	uc, ok := c.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("check peer: %T is no Unix socket", c)
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return fmt.Errorf("check peer: %w", err)
	}
	uid := -1
	var serr error
	if err := raw.Control(func(fd uintptr) { uid, serr = peerUID(int(fd)) }); err != nil {
		return fmt.Errorf("check peer: %w", err)
	}
	if serr != nil {
		return fmt.Errorf("check peer: %w", serr)
	}
	if uid != os.Geteuid() {
		return fmt.Errorf("check peer: user %d is not ours", uid)
	}
	return nil
}
