import type { KeyboardEvent, ReactNode } from 'react'
import { EllipsisVertical } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { combinationOf } from '../../../ui/keyboard/keys.ts'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { simpleToolsOf } from './simple-tools.ts'
import type { SimpleTool, ToolButton, Tools, ViewerToolbar } from './tool.ts'
import styles from './toolbar.module.css'

type ToolbarProps = ViewerToolbar & {
  /** A strip above or below the content, a bar that floats above its lower or its upper edge, or a part of the bar of an open file. */
  readonly look: 'strip' | 'below' | 'float' | 'floatTop' | 'part'
}

/**
 * Renders the toolbar of a viewer. In a narrow window, the rare tools are in a menu at its end, and an open drawer takes the place of
 * all other tools.
 */
export function Toolbar({ label, tools, look, focusKeys }: ToolbarProps) {
  const isNarrow = useMedia(mobileQuery)
  const opensUp = look === 'float' || look === 'below'
  const shown = simpleToolsOf(tools).filter((tool) => tool !== false)
  const drawer = shown.find((tool) => tool.kind === 'drawer')
  const rare = shown.filter(isRareButton)
  const bar = {
    role: 'toolbar',
    'aria-label': label,
    className: classNames(
      styles.bar,
      styles[look],
      shown.some(({ kind }) => kind === 'field') && styles.fields,
      shown.some((tool) => isButton(tool) && tool.icon === undefined) && styles.words,
      rare.length > 0 && styles.crowded,
    ),
    // The style sheet of the file lets the floating ones fade.
    'data-fading': look,
    onKeyDown: (event: KeyboardEvent) => {
      const run = focusKeys?.[combinationOf(event)]
      if (run === undefined) return
      event.preventDefault()
      run()
    },
  } as const
  if (isNarrow && drawer?.isOpen) return <div {...bar}>{drawer.content}</div>
  return (
    <div {...bar}>
      <ToolList tools={tools} opensUp={opensUp} isNarrow={isNarrow} />
      {isNarrow && rare.length > 0 && (
        <MenuButton
          icon={EllipsisVertical}
          label={t('buttons.more')}
          placement={opensUp ? 'top end' : 'bottom end'}
          entries={rare.map(({ label, icon, isBusy, blockedBy, run }) => ({
            id: label,
            label,
            ...(icon && { icon }),
            isDisabled: isBusy === true || blockedBy !== undefined,
            run,
          }))}
        />
      )}
    </div>
  )
}

const isButton = (tool: SimpleTool): tool is ToolButton => tool.kind === undefined || tool.kind === 'button'
const isRareButton = (tool: SimpleTool): tool is ToolButton => isButton(tool) && tool.isRare === true

type ToolListProps = {
  readonly tools: Tools
  /** True at the lower edge, where menus open to the top. */
  readonly opensUp: boolean
  /** True where the rare tools are not in the list. */
  readonly isNarrow?: boolean
}

/** Renders tools beside each other. A tool keeps its place in the list, so that it keeps the focus when its label changes. */
export const ToolList = ({ tools, opensUp, isNarrow = false }: ToolListProps) =>
  simpleToolsOf(tools).map(
    (tool, index) =>
      tool !== false &&
      !(isNarrow && 'isRare' in tool && tool.isRare) && (
        <Item key={index} tool={tool} opensUp={opensUp} isNarrow={isNarrow} />
      ),
  )

type ItemProps = Required<Omit<ToolListProps, 'tools'>> & { readonly tool: SimpleTool }

function Item({ tool, opensUp, isNarrow }: ItemProps): ReactNode {
  switch (tool.kind) {
    case 'menu':
      return <MenuButton {...tool} kind="icon" placement={opensUp ? 'top end' : 'bottom end'} />
    case 'text':
      return <output className={styles.text}>{tool.text}</output>
    case 'title':
      return (
        <p className={styles.title} dir="auto">
          {tool.text}
        </p>
      )
    case 'slot':
    case 'field':
      return tool.content
    case 'drawer':
      if (!isNarrow) return tool.content
      return <IconButton icon={tool.icon} label={tool.label} className={styles.atEnd} onClick={tool.run} />
    default:
      return <ButtonItem {...tool} />
  }
}

function ButtonItem({
  name,
  icon,
  label,
  hint,
  description,
  isBusy = false,
  blockedBy,
  ...tool
}: ToolButton) {
  const state = { 'aria-pressed': tool.isPressed, 'aria-expanded': tool.isExpanded, onClick: tool.run }
  if (icon === undefined)
    return (
      <Button kind="quiet" {...state}>
        {label}
      </Button>
    )
  return (
    <IconButton
      {...state}
      {...{ icon, label, hint, isBusy, blockedBy }}
      aria-description={description}
      data-tool={name}
    />
  )
}
