// absurl, compiled for WASI: one instance for each run, as a shell would start one process.
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "./wasi/index.js";

const program = load();

async function load() {
  const response = await fetch(new URL("absurl.wasm", import.meta.url));
  if (!response.ok) throw new Error(`absurl.wasm: ${response.status}`);
  // compileStreaming would need a header of the server
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Runs `absurl ...args` in a directory that has `files`, bytes by their names. */
export async function run(args, files = {}) {
  const out = [], err = [];
  const keep = (chunks) => new ConsoleStdout((bytes) => chunks.push(bytes.slice()));
  const contents = new Map(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
  const fds = [new OpenFile(new File([])), keep(out), keep(err), new PreopenDirectory(".", contents)];
  const wasi = new WASI(["absurl", ...args], [], fds, { debug: false });
  wasi.wasiImport.args_sizes_get = (count, size) => sizes(wasi, count, size);
  const instance = await WebAssembly.instantiate(await program, { wasi_snapshot_preview1: wasi.wasiImport });
  const status = wasi.start(instance);
  return { out: text(out), err: text(err), status };
}

/** The number of the arguments and of their bytes. The one of the shim counts UTF-16, and then writes UTF-8. */
function sizes(wasi, count, size) {
  const memory = new DataView(wasi.inst.exports.memory.buffer);
  const lengths = wasi.args.map((arg) => new TextEncoder().encode(arg).length + 1);
  memory.setUint32(count, lengths.length, true);
  memory.setUint32(size, lengths.reduce((sum, length) => sum + length), true);
  return 0;
}

function text(chunks) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
