import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** The place of the notices: at which edge of the window they are, and whether a dialog or menu lies over them. */
type NoticePlace = { readonly edge: 'bottom' | 'top'; readonly isCovered: boolean }

const initialPlace: NoticePlace = { edge: 'bottom', isCovered: false }

/**
 * The time in milliseconds that a dialog has to close after the notice that its work has caused, before the notice moves
 * to the upper edge.
 */
const closingMs = 100

/**
 * Returns the place of the notices. They stay where they have appeared: a dialog or menu that opens over them covers them
 * until it closes, and so does a dialog that gets over them when the window is resized. Only a notice that comes while a
 * dialog lies there moves all of them to the upper edge, where they are until the last one has gone. `newestId` is the id
 * of the last notice, or 0 when there is none.
 */
export function useNoticePlace(region: RefObject<HTMLElement | null>, newestId: number): NoticePlace {
  const [place, setPlace] = useState(initialPlace)
  const layers = useLayers()
  /** The id of the last notice that was on screen without a dialog or menu over it. */
  const seenId = useRef(0)
  // The next notice begins at the lower edge again.
  if (newestId === 0 && place !== initialPlace) setPlace(initialPlace)
  useLayoutEffect(() => {
    if (newestId === 0) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = (): void => {
      const isCovered = layers.some((layer) => doOverlap(region.current, layer))
      setPlace((now) => (now.isCovered === isCovered ? now : { ...now, isCovered }))
      if (!isCovered) seenId.current = newestId
      else if (newestId > seenId.current)
        timer ??= setTimeout(() => setPlace({ edge: 'top', isCovered: false }), closingMs)
    }
    check()
    const observer = new ResizeObserver(check)
    for (const box of [region.current, ...layers]) if (box !== null) observer.observe(box)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [region, newestId, layers])
  return place
}

function doOverlap(one: Element | null, other: Element): boolean {
  if (one === null || !other.isConnected) return false
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

const noLayers: readonly Element[] = []

/**
 * Returns the open dialogs and menus. They are children of the body. A style rule for the whole document would be evaluated
 * again for each row that is inserted.
 */
function useLayers(): readonly Element[] {
  const [layers, setLayers] = useState(noLayers)
  useEffect(() => {
    const check = (): void => {
      const found = [...document.body.children].filter(({ id }) => id !== 'app').flatMap(layersIn)
      setLayers(found.length === 0 ? noLayers : found)
    }
    const observer = new MutationObserver(check)
    check()
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [])
  return layers
}

const layersIn = (part: Element): Element[] => [
  ...part.querySelectorAll('[data-rac] :is([role="dialog"], [role="alertdialog"]), [role="menu"]'),
]
