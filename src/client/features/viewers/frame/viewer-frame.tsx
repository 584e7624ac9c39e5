import { type ReactNode, use } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { ToolPlace } from '../../../ui/file-frame/tool-place.ts'
import { simpleToolsOf } from './simple-tools.ts'
import type { ViewerToolbar } from './tool.ts'
import { Toolbar } from './toolbar.tsx'
import { useViewerKeys, type ViewerKeys } from './use-viewer-keys.ts'
import styles from './viewer-frame.module.css'

type ViewerFrameProps = {
  /** The name by which tests and other style sheets find the viewer. */
  readonly part?: string
  /**
   * In a `document`, the toolbar is a strip above the content. On a `stage`, the toolbars float above the content. In an open file, the
   * toolbars are in the bar of the file where the window has room for them.
   */
  readonly look: 'document' | 'stage'
  /** The colour behind the content: that of a page, a darker one, or that of the screen. */
  readonly ground?: 'page' | 'sunken' | 'screen'
  /**
   * The windows in which the content leaves no room at its sides, so that the buttons to the other files are below it: narrow ones, or
   * all of them.
   */
  readonly fillsWidth?: 'narrow' | 'always'
  /** The toolbar, which is false where the viewer has none. */
  readonly toolbar?: ViewerToolbar | false
  /** Another toolbar at the upper edge of a stage. */
  readonly upperToolbar?: ViewerToolbar | false
  readonly keys?: ViewerKeys
  /** True in the quick look, where the keys belong to the listing. */
  readonly isQuick?: boolean
  /** Messages about the content, between the toolbar and the content. */
  readonly banners?: ReactNode
  /** A panel beside the content, which the content gives room. It is false while it is closed, so that the content stays. */
  readonly panel?: ReactNode
  /** A line below the content. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Lays out a viewer: its toolbars, its panel, its content and the lines around the content. All viewers have this frame. */
export function ViewerFrame({
  part,
  look,
  ground = 'page',
  fillsWidth,
  toolbar = false,
  upperToolbar = false,
  keys = {},
  isQuick = false,
  banners,
  panel,
  footer,
  children,
}: ViewerFrameProps) {
  const tools = [toolbar, upperToolbar].flatMap((bar) => (bar === false ? [] : simpleToolsOf(bar.tools)))
  useViewerKeys(isQuick ? null : { tools, keys })
  const place = use(ToolPlace)
  const isStrip = place[look] === 'strip'
  const main = toolbar !== false && <Toolbar {...toolbar} look={place[look]} />
  return (
    <div className={classNames(styles.frame, styles[ground])} data-part={part} data-fills-width={fillsWidth}>
      {isStrip && main}
      {banners}
      {panel === undefined ? (
        children
      ) : (
        <div className={styles.body}>
          {panel}
          {children}
        </div>
      )}
      {/* The keyboard reaches what is in a stage before the toolbars that float above it. */}
      {place.render(
        <>
          {upperToolbar !== false && <Toolbar {...upperToolbar} look={place.upper} />}
          {!isStrip && main}
        </>,
      )}
      {footer !== undefined && footer !== false && <footer className={styles.footer}>{footer}</footer>}
    </div>
  )
}
