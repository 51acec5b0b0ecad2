/** Something that will happen, unless it is cancelled. */
export interface Pending {
  readonly at: number
  readonly order: number
  run: (() => void) | null
}

/** What will happen, earliest first: a binary heap. */
export class Queue {
  readonly #heap: Pending[] = []

  add(pending: Pending): Pending {
    const heap = this.#heap
    let index = heap.push(pending) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!before(pending, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = pending
    return pending
  }

  /** The next one that was not cancelled. */
  take(): Pending | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined) return undefined
      this.#removeFirst()
      if (first.run !== null) return first
    }
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()!
    if (heap.length === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (!before(heap[child]!, last)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
  }
}

const before = (a: Pending, b: Pending): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
