import { ChevronLeft, ChevronRight, Scan, ZoomIn, ZoomOut } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { directed } from '../../../ui/icon.tsx'
import type { FitTool, PositionTool, SimpleTool, ToolButton, Tools, ToolText, ZoomTool } from './tool.ts'

/** Returns the controls and texts of which tools consist. */
export const simpleToolsOf = (tools: Tools): readonly (SimpleTool | false)[] => tools.flatMap(partsOf)

function partsOf(tool: Tools[number]): readonly (SimpleTool | false)[] {
  if (tool === false) return [false]
  if (tool.kind === 'zoom') return zoomTools(tool)
  if (tool.kind === 'fit') return [fitButton(tool)]
  if (tool.kind !== 'position') return [tool]
  const [previous, next] = stepButtons(tool)
  return [previous, positionText(tool), next]
}

const zoomTools = ({
  onStep,
  scale,
  isScaleRare = false,
  hasKeys,
}: ZoomTool): readonly (SimpleTool | false)[] => [
  {
    icon: ZoomOut,
    label: t('viewer.zoomOut'),
    ...(hasKeys && { hint: '−', keys: ['-'] }),
    run: () => onStep(-1),
  },
  scale !== undefined && { kind: 'text', text: scale, isRare: isScaleRare },
  // The sign + is above = on many keyboards.
  {
    icon: ZoomIn,
    label: t('viewer.zoomIn'),
    ...(hasKeys && { hint: '+', keys: ['+', '='] }),
    run: () => onStep(1),
  },
]

const fitButton = ({ run, hasKeys, isRare = false }: FitTool): ToolButton => ({
  icon: Scan,
  label: t('viewer.fit'),
  ...(hasKeys && { hint: '0', keys: ['0'] }),
  isRare,
  run,
})

const textsOfSteps = {
  page: {
    previous: 'viewer.previousPage',
    next: 'viewer.nextPage',
    isFirst: 'viewer.isFirstPage',
    isLast: 'viewer.isLastPage',
  },
  chapter: {
    previous: 'viewer.previousChapter',
    next: 'viewer.nextChapter',
    isFirst: 'viewer.isFirstChapter',
    isLast: 'viewer.isLastChapter',
  },
} as const

/** Returns the buttons to the previous and to the next part of a file. */
export function stepButtons({
  unit,
  position,
  total,
  onGo,
  hasKeys,
}: Omit<PositionTool, 'kind'>): readonly [previous: ToolButton, next: ToolButton] {
  const texts = textsOfSteps[unit]
  return [
    {
      icon: directed(ChevronLeft),
      label: t(texts.previous),
      ...(hasKeys && { hint: t('key.PageUp'), keys: ['PageUp'] }),
      blockedBy: position === 1 ? t(texts.isFirst) : undefined,
      run: () => onGo(position - 1),
    },
    {
      icon: directed(ChevronRight),
      label: t(texts.next),
      ...(hasKeys && { hint: t('key.PageDown'), keys: ['PageDown'] }),
      blockedBy: position === total ? t(texts.isLast) : undefined,
      run: () => onGo(position + 1),
    },
  ]
}

/** Returns the text of a position, such as *3 of 12*. */
export const positionText = ({ position, total }: Pick<PositionTool, 'position' | 'total'>): ToolText => ({
  kind: 'text',
  text: t('viewer.position', { position, total }),
})
