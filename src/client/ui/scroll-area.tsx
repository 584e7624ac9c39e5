import { type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'

type ScrollAreaProps = {
  /** The name of the area for screen readers. */
  readonly label: string
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLElement>
  readonly children?: ReactNode
}

/**
 * Renders an area that scrolls. It can get the focus, because the keys scroll an area without controls only while it has
 * the focus.
 */
export function ScrollArea({ label, className, ref, children }: ScrollAreaProps) {
  const area = useRef<HTMLElement>(null)
  useImperativeHandle(ref, () => area.current as HTMLElement)
  useLayoutEffect(() => {
    if (area.current !== null) area.current.tabIndex = 0
  }, [])
  return (
    <section ref={area} className={className} aria-label={label}>
      {children}
    </section>
  )
}
