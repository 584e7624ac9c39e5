import { type ReactNode, type Ref, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '../class-names.ts'
import { FileName } from '../file-name.tsx'
import { FilePicture } from '../file-picture.tsx'
import { mobileQuery, useMedia } from '../measuring/use-media.ts'
import { visibleName } from '../visible-name.ts'
import { ownToolPlace, ToolPlace, type ToolPlacement } from './tool-place.ts'
import styles from './file-frame.module.css'

type FileFrameProps = {
  readonly file: { readonly name: string; readonly type: string; readonly isFolder?: boolean }
  /**
   * On a `panel`, the header is above the viewer, which has its own tools. On a `screen`, the name is the heading, and the header contains
   * the tools of the viewer. On a `whole` screen, this header floats above the viewer.
   */
  readonly look: 'panel' | 'screen' | 'whole'
  /** A mark before the name. */
  readonly mark?: ReactNode
  /** The line below the name, and the same as a text for its tooltip. */
  readonly facts: ReactNode
  readonly factsTitle?: string
  /** The buttons before and after the name. */
  readonly start?: ReactNode
  readonly end?: ReactNode
  readonly stageRef?: Ref<HTMLDivElement>
  readonly children: ReactNode
}

/** Lays out a file on screen: a header with its name, its facts and buttons, and the stage with the viewer. */
export function FileFrame({
  file,
  look,
  mark,
  facts,
  factsTitle,
  start,
  end,
  stageRef,
  children,
}: FileFrameProps) {
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const isNarrow = useMedia(mobileQuery)
  const isWhole = look === 'whole'
  // On phones, the header has no room for the tools.
  const place = useMemo((): ToolPlacement => {
    if (look === 'panel') return ownToolPlace
    if (isNarrow) return { ...ownToolPlace, document: isWhole ? 'float' : 'below' }
    return {
      document: 'part',
      stage: 'part',
      upper: 'part',
      render: (toolbars) => tools !== null && createPortal(toolbars, tools),
    }
  }, [look, isWhole, isNarrow, tools])
  const Name = look === 'panel' ? 'p' : 'h1'
  return (
    <ToolPlace value={place}>
      <header
        className={classNames(styles.header, look !== 'panel' && styles.bar, isWhole && styles.floating)}
        data-fading={isWhole ? 'float' : undefined}
      >
        {start}
        {!isWhole && (
          <FilePicture name={file.name} type={file.type} isFolder={file.isFolder === true} size={32} />
        )}
        <div className={styles.facts}>
          <Name
            className={styles.name}
            {...(look !== 'panel' && { tabIndex: -1, title: visibleName(file.name) })}
          >
            {mark}
            <FileName name={file.name} isWhole />
          </Name>
          <p className={styles.line} title={factsTitle}>
            {facts}
          </p>
        </div>
        {look !== 'panel' && <div ref={setTools} className={styles.tools} />}
        {look === 'panel' ? end : <div className={styles.end}>{end}</div>}
      </header>
      <div ref={stageRef} className={styles.stage}>
        {children}
      </div>
    </ToolPlace>
  )
}
