/**
 * As much of WASI as Flite needs, in memory: arguments, a standard output, and files that it writes into its root. So a
 * synthesis touches no disk, and `node:wasi`, which is experimental, is not needed.
 */

const DONE = 0
const BAD_DESCRIPTOR = 8
const STDOUT = 1
const ROOT = 3
const type = { device: 2, directory: 3, file: 4 }

/** Thrown by `proc_exit`, to leave the program from inside. */
class Exit extends Error {}

/** A file that is written, at any place in it. */
class MemoryFile {
  #bytes = new Uint8Array(1 << 16)
  position = 0
  size = 0

  /** @param {Uint8Array} bytes */
  write(bytes) {
    const end = this.position + bytes.length
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(end)))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes.set(bytes, this.position)
    this.position = end
    this.size = Math.max(this.size, end)
  }

  /** @param {number} offset @param {number} from 0: the beginning, 1: where it stands, 2: the end */
  seek(offset, from) {
    this.position = offset + /** @type {number} */ ([0, this.position, this.size][from])
  }

  get content() {
    return this.#bytes.subarray(0, this.size)
  }
}

/** What one run of a program sees of the world. */
class Host {
  /** @type {WebAssembly.Memory | undefined} */
  memory
  open = new Map([0, STDOUT, 2].map((descriptor) => [descriptor, new MemoryFile()]))
  /** @type {Map<string, MemoryFile>} */
  files = new Map()
  stdout = /** @type {MemoryFile} */ (this.open.get(STDOUT))

  get view() {
    return new DataView(/** @type {WebAssembly.Memory} */ (this.memory).buffer)
  }

  /** @param {number} start @param {number} length */
  bytes(start, length) {
    return new Uint8Array(this.view.buffer, start, length)
  }

  /** @param {string} name */
  create(name) {
    const file = new MemoryFile()
    this.files.set(name, file)
    const descriptor = ROOT + this.files.size
    this.open.set(descriptor, file)
    return descriptor
  }
}

/**
 * Runs a compiled WASI program to its end.
 *
 * @param {WebAssembly.Module} program
 * @param {readonly string[]} args the first is the name of the program
 * @returns {Promise<{ stdout: string, files: Map<string, Uint8Array> }>}
 */
export async function runProgram(program, args) {
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

/**
 * @typedef {Record<string, (...args: any[]) => number>} Calls
 *
 * @param {Host} host @param {readonly string[]} args
 */
function processCalls(host, args) {
  const words = args.map((arg) => new TextEncoder().encode(`${arg}\0`))
  return /** @satisfies {Calls} */ ({
    args_sizes_get(count, size) {
      host.view.setUint32(count, words.length, true)
      host.view.setUint32(
        size,
        words.reduce((sum, word) => sum + word.length, 0),
        true,
      )
      return DONE
    },
    args_get(pointers, buffer) {
      let at = buffer
      for (const [index, word] of words.entries()) {
        host.view.setUint32(pointers + index * 4, at, true)
        host.bytes(at, word.length).set(word)
        at += word.length
      }
      return DONE
    },
    clock_time_get(_clock, _precision, time) {
      host.view.setBigUint64(time, 0n, true)
      return DONE
    },
    proc_exit(code) {
      throw new Exit(`it ended with code ${code}`)
    },
  })
}

/** @param {Host} host */
function directoryCalls(host) {
  return /** @satisfies {Calls} */ ({
    fd_prestat_get(descriptor, stat) {
      if (descriptor !== ROOT) return BAD_DESCRIPTOR
      host.view.setUint32(stat, 0, true)
      host.view.setUint32(stat + 4, 1, true)
      return DONE
    },
    fd_prestat_dir_name(_descriptor, name) {
      host.bytes(name, 1).set(new TextEncoder().encode('/'))
      return DONE
    },
    path_open(_directory, _lookup, path, length, _open, _rights, _inherited, _mode, descriptor) {
      const name = new TextDecoder().decode(host.bytes(path, length))
      host.view.setUint32(descriptor, host.create(name), true)
      return DONE
    },
  })
}

/** @param {Host} host */
function fileCalls(host) {
  return /** @satisfies {Calls} */ ({
    fd_fdstat_get(descriptor, stat) {
      host.bytes(stat, 24).fill(0xff)
      host.view.setUint32(
        stat,
        descriptor < ROOT ? type.device : descriptor === ROOT ? type.directory : type.file,
        true,
      )
      return DONE
    },
    fd_fdstat_set_flags: () => DONE,
    fd_write(descriptor, vectors, count, written) {
      const file = host.open.get(descriptor)
      if (!file) return BAD_DESCRIPTOR
      let total = 0
      for (let vector = vectors; vector < vectors + count * 8; vector += 8) {
        const length = host.view.getUint32(vector + 4, true)
        file.write(host.bytes(host.view.getUint32(vector, true), length))
        total += length
      }
      host.view.setUint32(written, total, true)
      return DONE
    },
    fd_seek(descriptor, offset, from, result) {
      const file = host.open.get(descriptor)
      if (!file) return BAD_DESCRIPTOR
      file.seek(Number(offset), from)
      host.view.setBigUint64(result, BigInt(file.position), true)
      return DONE
    },
    fd_read(_descriptor, _vectors, _count, read) {
      host.view.setUint32(read, 0, true)
      return DONE
    },
    fd_close: (descriptor) => (host.open.delete(descriptor) ? DONE : BAD_DESCRIPTOR),
  })
}
