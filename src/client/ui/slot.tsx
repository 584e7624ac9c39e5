import { useCallback, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { registerSlot, slots, type SlotName } from '../state/slots.ts'
import { useStore } from '../state/store.ts'

/** Renders an area of the frame, for example in the header, that the current screen can fill with content. */
export function Slot({
  name,
  className,
}: {
  readonly name: SlotName
  readonly className?: string | undefined
}) {
  const registerElement = useCallback(
    (element: HTMLDivElement | null) => (element === null ? undefined : registerSlot(name, element)),
    [name],
  )
  return <div ref={registerElement} className={className} data-slot={name} />
}

/** Renders its children into the slot of the given name. Renders nothing while the frame has no such slot. */
export function Fill({ slot, children }: { readonly slot: SlotName; readonly children: ReactNode }) {
  const target = useStore(slots)[slot]
  return target === undefined ? null : createPortal(children, target)
}
