import type { Path } from '../../../shared/domain/path.ts'
import type { SpaceClaim } from './scope-usage.ts'
import type { SpaceReservation } from './space-reservation.ts'

/** The reservations that have not ended, found by the token of their upload in parts, and by its user and path. */
export type Reservations = {
  add(claim: SpaceClaim, reservation: SpaceReservation): void
  /** Assigns a claim to an upload in parts. */
  assign(claim: SpaceClaim, token: string): void
  remove(claim: SpaceClaim): void
  /** Returns the claims of all reservations. */
  claims(): Iterable<SpaceClaim>
  uploadOf(token: string): SpaceReservation | undefined
  /** Returns the oldest upload in parts of a user to a path. */
  uploadTo(path: Path, userId: number | null): SpaceClaim | undefined
}

const keyOf = (path: Path, userId: number | null): string => `${userId} ${path}`

/** Creates an empty list of reservations. Uploads are indexed, because each part of an upload looks for its reservation. */
export function createReservations(): Reservations {
  const reservations = new Map<SpaceClaim, SpaceReservation>()
  const byToken = new Map<string, SpaceClaim>()
  const byPath = new Map<string, Set<SpaceClaim>>()

  function forgetUpload(claim: SpaceClaim): void {
    if (claim.token === null) return
    byToken.delete(claim.token)
    const key = keyOf(claim.path, claim.userId)
    const claims = byPath.get(key)
    claims?.delete(claim)
    if (claims?.size === 0) byPath.delete(key)
  }

  return {
    add: (claim, reservation) => void reservations.set(claim, reservation),
    assign(claim, token) {
      if (claim.token === token || !reservations.has(claim)) return
      forgetUpload(claim)
      claim.token = token
      byToken.set(token, claim)
      const key = keyOf(claim.path, claim.userId)
      byPath.set(key, (byPath.get(key) ?? new Set()).add(claim))
    },
    remove(claim) {
      forgetUpload(claim)
      reservations.delete(claim)
    },
    claims: () => reservations.keys(),
    uploadOf(token) {
      const claim = byToken.get(token)
      return claim && reservations.get(claim)
    },
    uploadTo: (path, userId) => byPath.get(keyOf(path, userId))?.values().next().value,
  }
}
