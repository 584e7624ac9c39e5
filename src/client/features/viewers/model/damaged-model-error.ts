/** Thrown for a model that has the structure of no file of its format. */
export class DamagedModelError extends Error {
  constructor(options?: ErrorOptions) {
    super('The model is damaged.', options)
    this.name = 'DamagedModelError'
  }
}

/** Throws a DamagedModelError in the place of an error. */
export function asDamaged(cause: unknown): never {
  throw new DamagedModelError({ cause })
}
