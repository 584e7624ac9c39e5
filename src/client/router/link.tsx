import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { navigate, withBase } from './router.ts'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** The percent-encoded URL path to navigate to, relative to the base path. */
  readonly to: string
  readonly replace?: boolean
  readonly children: ReactNode
}

/**
 * Renders a link that navigates inside the page on a plain click. Opening in a new tab, copying and dragging work as
 * with any other link.
 */
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
