import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { navigate, withBase } from './router.ts'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** Below the base path, encoded. */
  readonly to: string
  readonly replace?: boolean
  readonly children: ReactNode
}

/** A real link: new tabs, copying and dragging work; a plain click stays in the page. */
export function Link({ to, replace = false, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    navigate(to, { replace })
  }
  return (
    <a {...rest} href={withBase(to)} onClick={follow}>
      {children}
    </a>
  )
}
