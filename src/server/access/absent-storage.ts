import { AppError } from '../../shared/domain/failure.ts'
import type { Storage } from '../storage/port.ts'

/**
 * The storage of a user whose scope does not exist: no entry is found in it and none can be created. It replaces the
 * missing scope, so that the user never gets access to the volume's root instead.
 */
export const absentStorage: Storage = {
  narrow: refuse,
  stat: refuse,
  list: refuse,
  async *walk() {
    yield await refuse()
  },
  async *find() {},
  open: refuse,
  async *readTree() {
    yield await refuse()
  },
  checksum: refuse,
  measure: refuse,
  usage: refuse,
  received: refuse,
  isPlaced: refuse,
  apply: refuse,
  check: refuse,
}

async function refuse(): Promise<never> {
  throw new AppError('not-found')
}
