import { type PointerEvent, useState } from 'react'

/**
 * Returns the properties of the area around the list of a palette. The area has the attribute `data-pointed` when the
 * pointer has moved over it since the text changed. A pointer at rest comes over options when the list opens or changes
 * below it, and the style sheet does not mark an option that the user did not point at.
 */
export function usePointerMoves(text: string) {
  const [movedFor, setMovedFor] = useState<string | null>(null)
  const hasMoved = movedFor === text
  return {
    'data-pointed': hasMoved || undefined,
    onPointerMove: ({ movementX, movementY }: PointerEvent): void => {
      if (!hasMoved && (movementX !== 0 || movementY !== 0)) setMovedFor(text)
    },
  }
}
