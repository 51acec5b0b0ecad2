/** As much of `WebAssembly` as Flite needs: it is declared neither by ES2023 nor by the types of Node. */
interface Api {
  compile(program: Uint8Array): Promise<Program>
  instantiate(program: Program, imports: Record<string, Record<string, unknown>>): Promise<Instance>
}

export interface Program {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

export interface Memory {
  readonly buffer: ArrayBuffer
}

interface Instance {
  readonly exports: { readonly memory: Memory; _start(): void }
}

export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Api }
