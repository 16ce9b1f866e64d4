// Drives every tool of a server with clients of other makers: the TypeScript SDK and the inspector's command line, each over
// stdio and over HTTP with a token; the last of them in the protocol's newer form, without a handshake. Usage: node drive.mjs SERVER-BINARY
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { calls, files, refused } from './calls.mjs';

const exec = promisify(execFile);
const binary = realpathSync(process.argv[2]);
const inspector = join(import.meta.dirname, 'node_modules/.bin/mcp-inspector');
const scratch = mkdtempSync(join(tmpdir(), 'clients-'));

// A workspace of its own for each client.
function plant(name) {
  const path = join(realpathSync(scratch), name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  mkdirSync(join(path, '.git/objects'), { recursive: true });
  mkdirSync(join(path, '.git/refs'));
  writeFileSync(join(path, '.git/HEAD'), 'ref: refs/heads/main\n');
  return {
    path,
    serve: ['serve', '--workspace', path],
    read: file => readFileSync(join(path, file), 'utf8'),
    has: file => existsSync(join(path, file)),
    isDirectory: file => statSync(join(path, file)).isDirectory(),
  };
}

// Starts a server on a free port; stop ends it and wants a clean exit.
async function serveHTTP(tree) {
  const tokenFile = join(scratch, `token-${Math.random()}`);
  const child = spawn(binary, [...tree.serve, '--http', '127.0.0.1:0', '--token-file', tokenFile], { stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = new Promise(resolve => child.on('exit', (code, signal) => resolve(code ?? signal)));
  let log = '';
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', line => {
      log += line + '\n';
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line);
      if (found) resolve(found[0]); // the token is written by then
    });
    ended.then(code => reject(new Error(`the HTTP server ended with ${code}:\n${log}`)));
  });
  return {
    url,
    headers: { Authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` },
    async stop() {
      child.kill('SIGTERM');
      assert.equal(await ended, 0, `exit of the HTTP server:\n${log}`);
    },
  };
}

// The answer in the form that checks take, once its own laws hold.
function answerOf(result) {
  assert.ok(Array.isArray(result.content) && result.content.length > 0, 'content is missing');
  for (const block of result.content) assert.equal(block.type, 'text');
  const { text } = result.content[0];
  let json;
  try { json = JSON.parse(text); } catch { /* a text */ }
  if (result.structuredContent !== undefined) assert.deepEqual(json, result.structuredContent, 'the text and structuredContent differ');
  return { text, json };
}

// Runs the table, with once only the first call of each tool; call(tool, args) returns a CallToolResult.
async function table(call, tools, tree, once) {
  const names = tools.map(t => t.name).sort();
  assert.deepEqual([...new Set(calls.map(c => c.tool))].sort(), names, 'calls.mjs must call every tool that is listed');
  const output = new Set(tools.filter(t => t.outputSchema).map(t => t.name));
  const seen = {};
  const made = once ? calls.filter((c, i) => calls.findIndex(d => d.tool === c.tool) === i) : calls;
  for (const { tool, args, check } of made) {
    const given = typeof args === 'function' ? args(seen) : args;
    let result;
    try {
      result = await call(tool, given);
      assert.ok(!result.isError, 'isError is set');
      assert.ok(!output.has(tool) || result.structuredContent, 'structuredContent is missing, and the tool has an outputSchema');
      check({ ...answerOf(result), tree, seen });
    } catch (err) {
      throw new Error(`${tool} ${JSON.stringify(given)}: ${err.message}\nanswer: ${JSON.stringify(result)?.slice(0, 2000)}`, { cause: err });
    }
  }
  for (const { tool, args, status } of refused) {
    const result = await call(tool, args);
    assert.equal(result.isError, true, `${tool} ${JSON.stringify(args)} is not refused`);
    assert.equal(answerOf(result).json.status, status, `${tool} ${JSON.stringify(args)}`);
  }
  return `${names.length} tools, ${made.length + refused.length} calls`;
}

async function sdk(transport, tree) {
  const client = new Client({ name: 'gate', version: '1' });
  await client.connect(transport);
  try {
    assert.equal(typeof client.getServerVersion().name, 'string');
    assert.ok(client.getInstructions().length > 0);
    await client.ping();
    const { tools } = await client.listTools(); // from now on the client checks answers against output schemas
    return await table((name, args) => client.callTool({ name, arguments: args }), tools, tree);
  } finally {
    await client.close();
  }
}

// Each call is a process; a tool's error is exit 5, and its result one line of the error stream or of the output.
function inspect(target) {
  const run = async (...args) => {
    const env = { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory', NO_COLOR: '1' };
    try {
      const { stdout } = await exec(process.execPath, [inspector, '--cli', ...target, ...args, '--format', 'json'], { env, maxBuffer: 64 << 20, timeout: 60_000 });
      return JSON.parse(stdout).result;
    } catch (err) {
      if (err.code === 5 && err.stdout.trim()) return JSON.parse(err.stdout).result;
      throw err;
    }
  };
  return {
    list: () => run('--method', 'tools/list', '--strict'), // exit 6 where a schema does not suit every host
    call: (tool, args) => run('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)),
  };
}

async function inspectorCLI(target, tree) {
  const { list, call } = inspect(target);
  const { tools } = await list();
  return table(call, tools, tree, true); // a process each
}

async function overHTTP(name, drive) {
  const tree = plant(name);
  const server = await serveHTTP(tree);
  try {
    const bare = await fetch(server.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    assert.equal(bare.status, 401, 'a request without a token');
    return await drive(server, tree);
  } finally {
    await server.stop();
  }
}

const drives = {
  'sdk, stdio': async () => {
    const tree = plant('sdk-stdio');
    return sdk(new StdioClientTransport({ command: binary, args: tree.serve, stderr: 'inherit' }), tree);
  },
  'sdk, http': () => overHTTP('sdk-http', ({ url, headers }, tree) =>
    sdk(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), tree)),
  'inspector, stdio': async () => {
    const tree = plant('inspector-stdio');
    return inspectorCLI([binary, ...tree.serve], tree);
  },
  'inspector, http': () => overHTTP('inspector-http', ({ url, headers }, tree) =>
    inspectorCLI([url, '--transport', 'http', '--header', `Authorization: ${headers.Authorization}`, '--protocol-era', 'modern'], tree)),
};

setTimeout(() => {
  console.error('the clients have not ended within 10 minutes');
  process.exit(1);
}, 600_000).unref();

let failed = false;
try {
  await Promise.all(Object.entries(drives).map(async ([name, drive]) => {
    const start = performance.now();
    try {
      const done = await drive();
      console.log(`${name}: ${done} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    } catch (err) {
      failed = true;
      console.error(`${name} failed: ${err.cause ? err.message : err.stack}`);
    }
  }));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
