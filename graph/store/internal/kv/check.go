package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"
)

// verifyAlways is the size of all tables up to which they are verified on every
// open: some milliseconds.
const verifyAlways = 128 << 20

// checkDir looks for damage that Badger would meet in a goroutine of its own or
// answer by ending the process, and for a lost table of contents, which it would
// answer by deleting all tables. Tables that the manifest does not list are what a
// crash left half written, and no damage.
func checkDir(dir string, verify bool) (err error) {
	defer rescue("check", &err)
	if err := checkFiles(dir); err != nil {
		return err
	}
	tables, err := listTables(dir)
	if err != nil {
		return err
	}
	var total int64
	for _, t := range tables {
		size, err := checkFooter(t)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrCorrupt, filepath.Base(t), err)
		}
		total += size
	}
	if !verify && total > verifyAlways {
		return nil
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, t := range tables {
		g.Go(func() error {
			if err := verifyTable(t); err != nil {
				return fmt.Errorf("%w: %s: %w", ErrCorrupt, filepath.Base(t), err)
			}
			return nil
		})
	}
	return g.Wait()
}

// listTables returns the tables that the manifest lists.
func listTables(dir string) ([]string, error) {
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		if found, _ := filepath.Glob(filepath.Join(dir, "*.sst")); len(found) > 0 {
			return nil, fmt.Errorf("%w: tables without a manifest", ErrCorrupt)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open manifest: %w", err)
	}
	defer func() { _ = f.Close() }()
	m, _, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return nil, fmt.Errorf("%w: read manifest: %w", ErrCorrupt, err)
	}
	tables := make([]string, 0, len(m.Tables))
	for id := range m.Tables {
		tables = append(tables, table.NewFilename(id, dir))
	}
	return tables, nil
}

// checkFooter verifies the end of a table: index, its length, a checksum over it,
// the checksum's length. Whoever opens the table trusts these bytes.
func checkFooter(name string) (size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, fmt.Errorf("open table: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("stat table: %w", err)
	}
	size = info.Size()
	end := size
	take := func(n int64) ([]byte, error) {
		if n < 0 || n > end {
			return nil, io.ErrUnexpectedEOF
		}
		end -= n
		b := make([]byte, n)
		_, err := f.ReadAt(b, end)
		return b, err
	}
	takeSized := func() ([]byte, error) {
		n, err := take(4)
		if err != nil {
			return nil, err
		}
		return take(int64(binary.BigEndian.Uint32(n)))
	}
	sum, err := takeSized()
	if err != nil {
		return 0, fmt.Errorf("read checksum: %w", err)
	}
	index, err := takeSized()
	if err != nil {
		return 0, fmt.Errorf("read index: %w", err)
	}
	var want pb.Checksum
	if err := proto.Unmarshal(sum, &want); err != nil {
		return 0, fmt.Errorf("parse checksum: %w", err)
	}
	if err := y.VerifyChecksum(index, &want); err != nil || len(index) == 0 {
		return 0, fmt.Errorf("verify index: %w", errors.Join(err, emptyIndex(index)))
	}
	return size, nil
}

func emptyIndex(index []byte) error {
	if len(index) == 0 {
		return errors.New("empty index")
	}
	return nil
}

// verifyTable checks every block of a table whose footer is whole.
func verifyTable(name string) (err error) {
	defer rescue("verify", &err)
	f, err := z.OpenMmapFile(name, os.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("map table: %w", err)
	}
	t, err := table.OpenTable(f, table.Options{
		ReadOnly: true, Compression: options.None, ChkMode: options.OnTableRead, BlockSize: 4 << 10,
	})
	if err != nil {
		if strings.Contains(err.Error(), "checksum") {
			return fmt.Errorf("verify table: %w", err)
		}
		return fmt.Errorf("open table: %w", err)
	}
	return t.Close(-1)
}
