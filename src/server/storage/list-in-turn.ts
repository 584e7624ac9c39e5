import type { Path } from '../../shared/domain/path.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { Listing, Storage } from './port.ts'

/** The storage that contains a folder, and the memory of the response for which it is listed. */
type ListingClient = { readonly storage: Pick<Storage, 'list'>; readonly reading: ResponseMemory }

/**
 * Lists a folder. A large folder stays in memory until the client has read it. When the memory for such folders is taken, the
 * listing ends, and begins again when there is room, so that nothing is held meanwhile.
 */
export async function listInTurn(
  { storage, reading }: ListingClient,
  path: Path,
  options: Parameters<Storage['list']>[1],
): Promise<Listing> {
  const listing = await storage.list(path, options)
  if (listing.heldBytes === 0 || reading.hold(listing.heldBytes)) return listing
  await listing.discard()
  await reading.wait(listing.heldBytes)
  return storage.list(path, options)
}
