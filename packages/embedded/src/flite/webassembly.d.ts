/** As much of the global `WebAssembly` as Flite needs: it is declared neither by ES2023 nor by the types of Node. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  interface Instance {
    readonly exports: { readonly memory: Memory; _start(): void }
  }
  function compile(program: Uint8Array): Promise<Module>
  function instantiate(program: Module, imports: Record<string, Record<string, unknown>>): Promise<Instance>
}
