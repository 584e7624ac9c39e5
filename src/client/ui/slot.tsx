import { useCallback, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { offerSlot, slots, type SlotName } from '../state/slots.ts'
import { useStore } from '../state/store.ts'

/** A place in the frame (the header) that a screen may fill. */
export function Slot({
  name,
  className,
}: {
  readonly name: SlotName
  readonly className?: string | undefined
}) {
  const offer = useCallback(
    (element: HTMLDivElement | null) => (element === null ? undefined : offerSlot(name, element)),
    [name],
  )
  return <div ref={offer} className={className} data-slot={name} />
}

/** Shows its children in the slot of that name, wherever it stands itself. */
export function Fill({ slot, children }: { readonly slot: SlotName; readonly children: ReactNode }) {
  const target = useStore(slots)[slot]
  return target === undefined ? null : createPortal(children, target)
}
