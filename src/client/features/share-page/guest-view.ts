import { namesOf } from '../../../shared/domain/path.ts'
import type { GridView } from '../../listing/grid/grid-view.ts'
import { createDeviceStore } from '../../state/device/device-store.ts'
import type { SharePath } from './share-address.ts'

/** The number of links whose view is kept on a device. Guests rarely come back to more. The oldest ones are forgotten. */
const maxLinks = 100

/**
 * The views that guests have chosen on this device: a fingerprint of the link and the view, the latest choice first. The address of a
 * link admits whoever knows it, so the device does not keep it.
 */
export const guestViews = createDeviceStore<string>('guest-views', '', (text) =>
  /^([\da-z]+ (list|mosaic|gallery)(,|$))*$/.test(text),
)

/** Returns the view that a guest has chosen for a link, or null before the first choice. */
export const viewOf = (views: string, path: SharePath): GridView | null =>
  (choicesIn(views).find(([link]) => link === fingerprintOf(path))?.[1] as GridView | undefined) ?? null

/** Keeps the view that a guest has chosen for a link. */
export function chooseView(path: SharePath, view: GridView): void {
  const link = fingerprintOf(path)
  const others = choicesIn(guestViews.get()).filter(([other]) => other !== link)
  const choices = [[link, view], ...others].slice(0, maxLinks)
  guestViews.set(choices.map((choice) => choice.join(' ')).join(','))
}

const choicesIn = (views: string): readonly (readonly string[])[] =>
  views.split(',').map((choice) => choice.split(' '))

/** Returns a number of 32 bits for a link, as a short text (FNV-1a). Two links with the same number would share a view. */
function fingerprintOf(path: SharePath): string {
  let hash = 0x811c9dc5
  for (const character of namesOf(path)[0] ?? '')
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(36)
}
