/**
 * As much of WASI as Flite needs, in memory: arguments, a standard output, and files that it writes into its root. So a
 * synthesis touches no disk, and `node:wasi`, which is experimental, is not needed.
 */

import { type Memory, type Program, WebAssembly } from './web-assembly.js'

const DONE = 0
const BAD_DESCRIPTOR = 8
const STDOUT = 1
const ROOT = 3
const type = { device: 2, directory: 3, file: 4 }

type Bytes = Uint8Array<ArrayBuffer>

/** Thrown by `proc_exit`, to leave the program from inside. */
class Exit extends Error {}

/** A file that is written, at any place in it. */
class MemoryFile {
  #bytes = new Uint8Array(1 << 16)
  #size = 0
  position = 0

  get content(): Bytes {
    return this.#bytes.subarray(0, this.#size)
  }

  write(bytes: Uint8Array): void {
    const end = this.position + bytes.length
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(end)))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes.set(bytes, this.position)
    this.position = end
    this.#size = Math.max(this.#size, end)
  }

  /** `from` 0: the beginning, 1: where it stands, 2: the end. */
  seek(offset: number, from: number): void {
    this.position = offset + ([0, this.position, this.#size][from] ?? 0)
  }
}

/** What one run of a program sees of the world. */
class Host {
  memory: Memory | null = null
  readonly stdout = new MemoryFile()
  readonly files = new Map<string, MemoryFile>()
  readonly open = new Map<number, MemoryFile>([
    [0, new MemoryFile()],
    [STDOUT, this.stdout],
    [2, new MemoryFile()],
  ])

  get view(): DataView {
    return new DataView(this.memory!.buffer)
  }

  bytes(start: number, length: number): Bytes {
    return new Uint8Array(this.memory!.buffer, start, length)
  }

  setNumber(at: number, value: number): number {
    this.view.setUint32(at, value, true)
    return DONE
  }

  create(name: string): number {
    const file = new MemoryFile()
    this.files.set(name, file)
    const descriptor = ROOT + this.files.size
    this.open.set(descriptor, file)
    return descriptor
  }
}

export interface Outcome {
  readonly stdout: string
  readonly files: ReadonlyMap<string, Bytes>
}

/** Runs a compiled WASI program to its end. `args`: the first is the name of the program. */
export async function runProgram(program: Program, args: readonly string[]): Promise<Outcome> {
  const host = new Host()
  const wasi = { ...processCalls(host, args), ...directoryCalls(host), ...fileCalls(host) }
  const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi })
  host.memory = instance.exports.memory
  try {
    instance.exports._start()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  return {
    stdout: new TextDecoder().decode(host.stdout.content),
    files: new Map([...host.files].map(([name, file]) => [name, file.content])),
  }
}

function processCalls(host: Host, args: readonly string[]) {
  const words = args.map((arg) => new TextEncoder().encode(`${arg}\0`))
  const size = words.reduce((sum, word) => sum + word.length, 0)
  return {
    args_sizes_get(count: number, length: number): number {
      host.setNumber(count, words.length)
      return host.setNumber(length, size)
    },
    args_get(pointers: number, buffer: number): number {
      let at = buffer
      for (const [index, word] of words.entries()) {
        host.setNumber(pointers + index * 4, at)
        host.bytes(at, word.length).set(word)
        at += word.length
      }
      return DONE
    },
    clock_time_get(_clock: number, _precision: bigint, time: number): number {
      host.view.setBigUint64(time, 0n, true)
      return DONE
    },
    proc_exit(code: number): never {
      throw new Exit(`it ended with code ${code}`)
    },
  }
}

function directoryCalls(host: Host) {
  return {
    fd_prestat_get(descriptor: number, stat: number): number {
      if (descriptor !== ROOT) return BAD_DESCRIPTOR
      host.setNumber(stat, 0)
      return host.setNumber(stat + 4, 1)
    },
    fd_prestat_dir_name(_descriptor: number, name: number): number {
      host.bytes(name, 1).set(new TextEncoder().encode('/'))
      return DONE
    },
    path_open(
      _directory: number,
      _lookup: number,
      path: number,
      length: number,
      _open: number,
      _rights: bigint,
      _inherited: bigint,
      _mode: number,
      descriptor: number,
    ): number {
      return host.setNumber(descriptor, host.create(new TextDecoder().decode(host.bytes(path, length))))
    },
  }
}

function fileCalls(host: Host) {
  return {
    fd_fdstat_get(descriptor: number, stat: number): number {
      host.bytes(stat, 24).fill(0xff)
      return host.setNumber(stat, descriptor < ROOT ? type.device : descriptor === ROOT ? type.directory : type.file)
    },
    fd_fdstat_set_flags: (): number => DONE,
    fd_write(descriptor: number, vectors: number, count: number, written: number): number {
      const file = host.open.get(descriptor)
      if (!file) return BAD_DESCRIPTOR
      let total = 0
      for (let vector = vectors; vector < vectors + count * 8; vector += 8) {
        const length = host.view.getUint32(vector + 4, true)
        file.write(host.bytes(host.view.getUint32(vector, true), length))
        total += length
      }
      return host.setNumber(written, total)
    },
    fd_seek(descriptor: number, offset: bigint, from: number, result: number): number {
      const file = host.open.get(descriptor)
      if (!file) return BAD_DESCRIPTOR
      file.seek(Number(offset), from)
      host.view.setBigUint64(result, BigInt(file.position), true)
      return DONE
    },
    fd_read: (_descriptor: number, _vectors: number, _count: number, read: number): number => host.setNumber(read, 0),
    fd_close: (descriptor: number): number => (host.open.delete(descriptor) ? DONE : BAD_DESCRIPTOR),
  }
}
