/** An unordered collection whose items are added and removed thousands of times a second. */
export type Bag<T> = {
  readonly size: () => number
  /** Adds an item and returns a function that removes it. Calling that function again has no effect. */
  readonly add: (item: T) => () => void
  /** Returns a copy of all items, which later additions and removals do not change. */
  readonly all: () => readonly T[]
}

type BagSlot<T> = { readonly item: T; index: number }

/**
 * Creates an empty bag. A `Set` is not used: after many removals V8 rehashes it into a new table, and the old table
 * keeps references to its former items and to the new table. Once an old table has reached the old generation of the
 * garbage collector, everything that it references survives until a full collection. A bag moves its last item into the
 * slot of the removed one and keeps no other reference.
 */
export function createBag<T>(): Bag<T> {
  const slots: BagSlot<T>[] = []
  return {
    size: () => slots.length,
    add(item) {
      const slot: BagSlot<T> = { item, index: slots.length }
      slots.push(slot)
      return () => {
        if (slots[slot.index] !== slot) return
        const last = slots.pop()
        if (last === undefined || last === slot) return
        slots[slot.index] = last
        last.index = slot.index
      }
    },
    all: () => slots.map(({ item }) => item),
  }
}
