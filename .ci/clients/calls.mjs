// One call or more for each tool: what is asked, and what must come back. `json` is the answer as an object where it
// is one, `text` as it came; `tree` reads the workspace as it is then; `seen` keeps what later calls need.
import assert from 'node:assert/strict';

export const files = {
  '.gitignore': '.agent/\n/ignored.txt\n',
  'ignored.txt': 'Greet is not searched here\n',
  'go.mod': 'module example.test/app\n\ngo 1.26\n',
  'app/main.go': 'package main\n\nimport "example.test/app/greet"\n\nfunc main() { println(greet.Greet("you")) }\n',
  'greet/greet.go': '// Package greet greets.\npackage greet\n\n// Greet greets one.\nfunc Greet(name string) string {\n\treturn prefix() + name\n}\n\nfunc prefix() string { return "hello " }\n',
  'greet/greet_test.go': 'package greet\n\nimport "testing"\n\nfunc TestGreet(t *testing.T) {\n\tif Greet("a") != "hello a" {\n\t\tt.Fail()\n\t}\n}\n',
  'docs/a.md': '# Greeting\n\nSee `Greet`.\n',
  'docs/crlf.txt': 'one\r\ntwo\r\n',
};

const hash = /^[0-9a-f]{64}$/;
const paths = list => list.map(m => m.path ?? m);

function changed(json, ...expected) {
  assert.deepEqual(json.changed_paths, expected);
  assert.equal(typeof json.index_generation, 'number');
  assert.equal(typeof json.is_stale, 'boolean');
}

// In this order: what reads stands before what changes.
export const calls = [
  { tool: 'list_allowed_roots', args: {}, check: ({ json, tree }) => assert.deepEqual(json.allowed_roots, [tree.path]) },
  { tool: 'ralph_reindex', args: { mode: 'changed', timeout_ms: 60000 }, check: ({ json }) => {
    assert.ok(['ok', 'skipped_no_changes'].includes(json.job_status), json.job_status);
    assert.equal(json.dirty_paths_count, 0);
    assert.deepEqual(json.failed_files, []);
  } },
  { tool: 'ralph_index_status', args: {}, check: ({ json }) => {
    assert.equal(json.enabled, true);
    assert.ok(json.generation >= 1);
    assert.equal(json.is_stale, false);
  } },
  { tool: 'read_file', args: { path: 'greet/greet.go' }, check: ({ text }) => assert.equal(text, files['greet/greet.go']) },
  { tool: 'read_file', args: { path: 'docs/crlf.txt', line_start: 2, line_end: 2 }, check: ({ json }) => {
    assert.equal(json.content, 'two\r\n');
    assert.equal(json.total_lines, 2);
  } },
  { tool: 'read_file', args: { symbol: 'greet.prefix' }, check: ({ json }) => {
    assert.equal(json.path, 'greet/greet.go');
    assert.match(json.content, /^func prefix/);
  } },
  { tool: 'read_multiple_files', args: { items: [{ path: 'docs/a.md' }, { path: 'docs/none.md' }, { symbol: 'greet.Greet' }] },
    check: ({ json }) => {
      assert.equal(json.files.length, 3);
      assert.equal(json.files[0].content, files['docs/a.md']);
      assert.equal(json.files[1].is_error, true);
      assert.match(json.files[2].content, /func Greet/);
    } },
  { tool: 'stat_path', args: { path: 'go.mod' }, check: ({ json }) => {
    assert.equal(json.type, 'file');
    assert.equal(json.size_bytes, files['go.mod'].length);
  } },
  { tool: 'list_directory', args: { path: 'docs' }, check: ({ text }) =>
    assert.equal(text.trimEnd(), 'Directory: docs\n  [FILE] docs/a.md\n  [FILE] docs/crlf.txt') },
  { tool: 'list_directory', args: { path: '.', view: 'ranked' }, check: ({ json }) => assert.ok(json.entries.length >= 5) },
  { tool: 'list_directory_recursive', args: { path: '.' }, check: ({ text }) => assert.match(text, /\[FILE\] greet\/greet_test\.go/) },
  { tool: 'directory_tree', args: { path: 'greet' }, check: ({ json }) => {
    assert.equal(json.type, 'dir');
    assert.deepEqual(json.children.map(c => c.name), ['greet.go', 'greet_test.go']);
  } },
  { tool: 'search_files', args: { pattern: '**/*.go' }, check: ({ json }) =>
    assert.deepEqual(paths(json.matches), ['app/main.go', 'greet/greet.go', 'greet/greet_test.go']) },
  { tool: 'grep_files', args: { pattern: 'Greet', regex: false, include: ['*.go'], return_evidence_ids: true },
    check: ({ json, seen }) => {
      assert.equal(json.index_used, true);
      assert.deepEqual([...new Set(paths(json.matches))], ['app/main.go', 'greet/greet.go', 'greet/greet_test.go']);
      assert.equal(json.evidence_ids.length, json.matches.length);
      [seen.evidence] = json.evidence_ids;
    } },
  { tool: 'read_file', args: seen => ({ evidence_id: seen.evidence }), check: ({ json }) => {
    assert.equal(json.path, 'app/main.go');
    assert.match(json.content, /greet\.Greet/);
  } },
  { tool: 'ralph_graph', args: { query_type: 'neighbors', target: 'greet.Greet', direction: 'in' }, check: ({ json }) => {
    const callers = json.edges.filter(e => e.relation === 'calls_syntax');
    assert.ok(callers.some(e => e.path === 'app/main.go' && e.provenance === 'extracted'), JSON.stringify(json.edges));
    assert.ok(callers.some(e => e.path === 'greet/greet_test.go'));
  } },
  { tool: 'create_directory', args: { path: 'new/deep' }, check: ({ json, tree }) => {
    assert.equal(json.created, true);
    assert.ok(tree.isDirectory('new/deep'));
  } },
  { tool: 'write_file', args: { path: 'new/w.txt', content: 'größe\n' }, check: ({ json, tree }) => {
    assert.equal(json.status, 'ok');
    assert.match(json.content_hash, hash);
    changed(json, 'new/w.txt');
    assert.equal(tree.read('new/w.txt'), 'größe\n');
  } },
  { tool: 'append_file', args: { path: 'docs/a.md', content: 'More.\n' }, check: ({ json, tree }) => {
    assert.equal(json.bytes_appended, 6);
    changed(json, 'docs/a.md');
    assert.equal(tree.read('docs/a.md'), files['docs/a.md'] + 'More.\n');
  } },
  { tool: 'edit_file', args: { path: 'docs/crlf.txt', edits: [{ oldText: 'one\ntwo', newText: '1\n2' }] }, check: ({ json, tree }) => {
    assert.equal(json.status, 'applied');
    assert.match(json.diff, /^--- /);
    changed(json, 'docs/crlf.txt');
    assert.equal(tree.read('docs/crlf.txt'), '1\r\n2\r\n');
  } },
  { tool: 'copy_file', args: { src: 'go.mod', dest: 'copy/go.mod.txt' }, check: ({ json, tree }) => {
    assert.equal(json.dest, 'copy/go.mod.txt');
    assert.equal(tree.read('copy/go.mod.txt'), files['go.mod']);
    assert.equal(tree.read('go.mod'), files['go.mod']);
  } },
  { tool: 'move_file', args: { src: 'app', dest: 'cmd' }, check: ({ json, tree }) => {
    assert.equal(json.dest, 'cmd');
    assert.equal(tree.read('cmd/main.go'), files['app/main.go']);
    assert.ok(!tree.has('app'));
  } },
  { tool: 'delete_path', args: { path: 'greet', recursive: true }, check: ({ json, tree }) => {
    assert.equal(json.deleted, true);
    assert.ok(!tree.has('greet'));
  } },
  // What was changed is what is found.
  { tool: 'grep_files', args: { pattern: 'Greet' }, check: ({ json }) =>
    assert.deepEqual([...new Set(paths(json.matches))], ['cmd/main.go', 'docs/a.md']) },
];

// Calls that must be refused as a tool's answer, not as a fault of the protocol.
export const refused = [
  { tool: 'read_file', args: { path: '../outside' }, status: 'outside_workspace' },
  { tool: 'write_file', args: { path: '.git/config', content: '' }, status: 'protected_path' },
  { tool: 'grep_files', args: { pattern: 'x', patern: 'y' }, status: 'invalid_params' },
];
