import type { EventLimits } from './event-limits.ts'

/** Counts the folders that are watched for each user and in total. */
export type FolderBudget = {
  /**
   * Gives back the folders of one client and takes as many of the wanted number as the limits allow. Returns the number
   * of folders that the client may watch.
   */
  readonly exchange: (userId: number, owned: number, wanted: number) => number
}

/** Creates the budget of folders that all clients share. */
export function createFolderBudget({
  foldersPerUser,
  folders,
}: Pick<EventLimits, 'foldersPerUser' | 'folders'>): FolderBudget {
  const ofUsers = new Map<number, number>()
  let ofAll = 0
  return {
    exchange(userId, owned, wanted) {
      const others = { ofUser: (ofUsers.get(userId) ?? 0) - owned, ofAll: ofAll - owned }
      const granted = Math.max(0, Math.min(wanted, foldersPerUser - others.ofUser, folders - others.ofAll))
      ofAll = others.ofAll + granted
      if (others.ofUser + granted === 0) ofUsers.delete(userId)
      else ofUsers.set(userId, others.ofUser + granted)
      return granted
    },
  }
}
