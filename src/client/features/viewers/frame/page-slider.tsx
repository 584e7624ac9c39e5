import { ChevronLeft, ChevronRight } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { isRightToLeft as isPageRightToLeft } from '../../../ui/direction/direction.ts'
import { directed } from '../../../ui/icon.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { positionText, stepButtons } from './simple-tools.ts'
import type { PositionTool, Tools, ToolSlot } from './tool.ts'
import styles from './page-slider.module.css'

type SliderOptions = Omit<PositionTool, 'kind'> & {
  /** True for a file that is read from right to left. */
  readonly isRightToLeft: boolean
}

/**
 * Returns the tools for the position in a file that is read from either side: a slider between the buttons to the previous and the next
 * page, and the position. The next page is on the side to which the file is read.
 */
export function sliderTools({ isRightToLeft, ...options }: SliderOptions): Tools {
  const [previous, next] = stepButtons(options)
  const slider: ToolSlot = {
    kind: 'slot',
    content: <PageSlider {...options} isRightToLeft={isRightToLeft} />,
  }
  // The toolbar follows the language of the page, and the file has its own direction.
  const isTurned = isRightToLeft !== isPageRightToLeft()
  const [start, end] = isTurned ? [next, previous] : [previous, next]
  return [
    { ...start, icon: directed(ChevronLeft) },
    slider,
    { ...end, icon: directed(ChevronRight) },
    positionText(options),
  ]
}

const PageSlider = ({ position, total, onGo, isRightToLeft }: SliderOptions) => (
  <Slider
    className={styles.slider}
    dir={isRightToLeft ? 'rtl' : 'ltr'}
    aria-label={t('viewer.pageNumber')}
    aria-valuetext={t('viewer.position', { position, total })}
    min={0}
    max={total - 1}
    value={position - 1}
    onChange={(event) => onGo(event.currentTarget.valueAsNumber + 1)}
  />
)
