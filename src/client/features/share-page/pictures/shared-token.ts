import { namesOf } from '../../../../shared/domain/path.ts'
import { savedShareToken } from '../saved-token.ts'
import type { SharePath } from '../share-address.ts'

/** Returns the token that this tab has kept for the share of a path. */
export const shareTokenOf = (path: SharePath): string | undefined => savedShareToken(namesOf(path)[0] ?? '')
