import { setImmediate as nextTurn } from 'node:timers/promises'
import { isSameDisk, type MountedDisk } from '../../shared/domain/mounted-disk.ts'
import type { ShareMode } from '../../shared/contract/shares.ts'
import type { Path } from '../../shared/domain/path.ts'

/** The kind of an entry that can be shared. */
export type SharedKind = 'file' | 'folder'

/** A public link to one entry. */
export type ShareRecord = {
  /** The id in the share's URL: 22 characters, or 8 for shares that were imported from File Browser. */
  readonly hash: string
  /** The owner. The share is removed with its owner. */
  readonly userId: number
  /**
   * The path of the entry, relative to the root of the volume, since the owner's scope may change. No component of the
   * path is a symbolic link (T27).
   */
  readonly path: Path
  /**
   * The kind of the entry when it was shared. When the path later leads to an entry of another kind, that entry is not
   * shared. A link that was taken over while its entry was away is `awaited`: it works for nobody until there is an entry at
   * its path (decision 181).
   */
  readonly kind: SharedKind | 'awaited'
  readonly passwordHash: string | null
  /** SHA-256 (base64url) of the token of a share that was imported from File Browser; null for all other shares. */
  readonly tokenDigest: string | null
  /**
   * The time at which the share expires, in whole seconds since 1970, as in the API; null for a share that never
   * expires.
   */
  readonly expiresAtSeconds: number | null
  /**
   * The time from which guests can open the share, in whole seconds since 1970; null for a share that is available
   * immediately.
   */
  readonly availableFromSeconds: number | null
  readonly mode: ShareMode
  /** The number of files that an upload-only share accepts in total; null when its owner has set no limit. */
  readonly maxFiles: number | null
  /** The number of bytes that an upload-only share accepts in total; null when its owner has set no limit. */
  readonly maxBytes: number | null
  /** The name that guests see as the sender; empty when the owner has typed none. */
  readonly senderName: string
  /** The address that the owner has chosen, in lower case; empty for none. */
  readonly alias: string
  /** The number of downloads that the share allows in total; null when its owner has set no limit. */
  readonly maxDownloads: number | null
  /** True for an upload-only share whose owner wants to be told of new files. */
  readonly tellsOfFiles: boolean
  readonly createdAtMs: number
  /**
   * The mounted disk that contains the entry. While it is missing, the share waits for it (decision 125). Null when the
   * entry is on the system's own disk, and until the server has looked up the disk.
   */
  readonly disk: MountedDisk | null
}

/** The counts of a share's visits and downloads, and of the received files that its owner has looked at. */
export type ShareUse = { readonly visits: number; readonly downloads: number; readonly seenFiles: number }

/** A share as it is stored. */
export type StoredShare = ShareRecord & ShareUse

/** A download from a share with a limit. */
export type LimitedDownload = {
  /** Identifies the client and the version of the file. */
  readonly client: string
  /** True when the response contains the first byte. Later parts of a file are free after the client has begun it. */
  readonly isFromStart: boolean
}

/** The encoded path of one or more shares, and the disk that their entry lies on. */
export type SharedPlace = { readonly path: string; readonly disk: MountedDisk | null }

/** The last share of a page of places. */
export type SharedPlaceCursor = { readonly path: string; readonly digest: string }

/** Some of the places of shares. `next` leads to the next page, and is null after the last one. */
export type SharedPlacePage = {
  readonly places: readonly SharedPlace[]
  readonly next: SharedPlaceCursor | null
}

/** The new values of a share's fields. Absent fields stay as they are. */
export type ShareChanges = Partial<
  Pick<
    ShareRecord,
    | 'passwordHash'
    | 'tokenDigest'
    | 'expiresAtSeconds'
    | 'availableFromSeconds'
    | 'mode'
    | 'maxFiles'
    | 'maxBytes'
    | 'senderName'
    | 'alias'
    | 'maxDownloads'
    | 'tellsOfFiles'
  > &
    Pick<ShareUse, 'seenFiles'>
>

/** The owner and the path of shares to read. Undefined selects those of all owners or paths. */
export type ShareFilter = { readonly userId?: number | undefined; readonly path?: Path | undefined }

/** The store of shares. Expired shares are never returned, even before they are purged. */
export type ShareStore = {
  /**
   * Stores a share. Throws `not-found` when the owner has been removed, and `no-space` when the owner has too many shares or
   * aliases. For an alias that another share has or had, it throws `name-taken` when that share is of the same owner, and
   * otherwise `not-found` with the refused value.
   */
  add(share: ShareRecord): Promise<void>
  /** Stores shares in one transaction. Throws `not-found` when an owner has been removed, and stores none then. */
  addAll(shares: readonly ShareRecord[]): Promise<void>
  find(hash: string): Promise<StoredShare | null>
  /** Finds a share by its hash or its alias. */
  findByAddress(hashOrAlias: string): Promise<StoredShare | null>
  /** Lists shares by owner and then by expiry, permanent shares first. */
  list(only?: ShareFilter): Promise<readonly StoredShare[]>
  /**
   * Returns the digests of the shares that `list` returns, in the same order. They take much less memory than the shares, whose
   * paths may be long.
   */
  digests(only?: ShareFilter): Promise<readonly string[]>
  /** Returns the number of shares. No row is read for it, so it takes a few milliseconds for 100,000 shares. */
  count(): Promise<number>
  /** Returns the shares with some digests, in the order of the digests. Shares that have ended meanwhile are left out. */
  listOf(digests: readonly string[]): Promise<readonly StoredShare[]>
  /**
   * Changes a share and returns it as it is now, or null when there is no share with this hash. Throws as `add` does for an
   * alias that is taken.
   */
  update(hash: string, changes: ShareChanges): Promise<StoredShare | null>
  /**
   * Counts a download from a share with a limit in one transaction. Returns false, and counts nothing, when the share allows no
   * more downloads. A part of a file that the client has begun within the last 24 hours is free.
   */
  takeDownload(hash: string, download: LimitedDownload): Promise<boolean>
  remove(hash: string): Promise<void>
  /**
   * Stores the entry of an awaited share, which has been found. Returns false, and stores nothing, when the share no longer waits
   * for an entry at its path: it has ended or moved, or another request has found its entry.
   */
  setFound(
    awaited: Pick<ShareRecord, 'hash' | 'path'>,
    found: Pick<ShareRecord, 'path' | 'disk'> & { readonly kind: SharedKind },
  ): Promise<boolean>
  /**
   * Updates shares after an entry was moved. Shares of the entry and of entries below it get their new paths. Shares of
   * entries that were below `to` are removed. Shares of `to` itself are kept when the entry at `to` was overwritten
   * (`isNew` is false). Shares on a disk in `waiting` stay as they are. Shares at and below `to` that are awaited,
   * or whose entry was found within the last day, are kept.
   */
  followMove(move: {
    readonly from: Path
    readonly to: Path
    readonly isNew: boolean
    readonly waiting?: readonly MountedDisk[]
  }): Promise<void>
  /** True when there is a share of an entry or of an entry below it. The share may have expired. */
  hasWithin(path: Path): Promise<boolean>
  /**
   * Returns a page of the places of the shares of an entry and of entries below it in the order of their paths, including expired
   * shares. A place is returned once for each of its shares. `after` is the `next` of the page before, and null for the
   * first page.
   */
  sharedPlaces(within: Path, after: SharedPlaceCursor | null): Promise<SharedPlacePage>
  /** Replaces the path and the disk of the shares at a place. No entry was moved on the disk. */
  correctPlace(from: SharedPlace, to: Pick<ShareRecord, 'path' | 'disk'>): Promise<void>
  /** Removes the shares of an entry that no longer exists, and of entries below it, except those on a disk in `waiting`. */
  endWithin(path: Path, waiting?: readonly MountedDisk[]): Promise<void>
  /** Removes the shares of an entry that was replaced by a new one, as `endWithin` does. `followMove` says which are kept. */
  endReplaced(path: Path, waiting?: readonly MountedDisk[]): Promise<void>
  /** True when there are expired shares to delete. */
  hasExpired(): Promise<boolean>
  /** Deletes expired shares. */
  purge(): Promise<void>
}

/**
 * Yields the places of the shares of an entry and of entries below it, including expired shares. Each place of several
 * shares is yielded once, unless links with other disks are between them. One page is in memory. Other requests get their turn between two pages.
 */
export async function* placesWithin(
  shares: Pick<ShareStore, 'sharedPlaces'>,
  within: Path,
): AsyncGenerator<SharedPlace, void> {
  let after: SharedPlaceCursor | null = null
  let last: SharedPlace | null = null
  for (;;) {
    const { places, next }: SharedPlacePage = await shares.sharedPlaces(within, after)
    for (const place of places) {
      if (last?.path !== place.path || !isSameDisk(last.disk, place.disk)) yield place
      last = place
    }
    if (next === null) return
    after = next
    await nextTurn()
  }
}
