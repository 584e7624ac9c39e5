import { AppError } from '../../shared/domain/failure.ts'
import type { Storage } from '../storage/port.ts'

/** What a person holds whose scope is not there: nothing in it can be found, and nothing can be made in it. Never the root instead. */
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
  localFolder: refuse,
  measure: refuse,
  usage: refuse,
  write: refuse,
  begin: refuse,
  received: refuse,
  put: refuse,
  commit: refuse,
  isPlaced: refuse,
  abort: refuse,
  makeFolder: refuse,
  move: refuse,
  copy: refuse,
  check: refuse,
  remove: refuse,
}

async function refuse(): Promise<never> {
  throw new AppError('not-found')
}
