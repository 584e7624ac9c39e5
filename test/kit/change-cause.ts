import type { ChangeCause } from '../../src/server/changes/change.ts'
import type { RouteName } from '../../src/shared/contract/routes.ts'

/** Returns the cause of the changes that a call makes. */
export const causeOf = (call: RouteName, origin: string | null = null): ChangeCause => ({
  kind: 'call',
  call,
  origin,
  address: '192.0.2.1',
})
