import { type ReactNode, type RefObject, useId } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Popover } from 'react-aria-components/Popover'
import { Images, LayoutGrid, Rows3 } from 'lucide'
import type { ListingOrder, SortKey } from '../../../shared/domain/sorting.ts'
import { useLocale } from '../../i18n/locale.ts'
import { t } from '../../i18n/translate.ts'
import { densities, density } from '../../state/device/density.ts'
import { useStore } from '../../state/store.ts'
import { Icon, type IconDrawing } from '../../ui/icon.tsx'
import { ignoreKeys, useKeyScope } from '../../ui/keyboard/use-key-scope.ts'
import { useMedia } from '../../ui/measuring/use-media.ts'
import { Slider } from '../../ui/slider.tsx'
import type { GridView } from '../grid/grid-view.ts'
import { isSortable, listColumns } from '../sizes/column-widths.ts'
import { tileNames, tileSize, tileSizes } from '../sizes/tile-size.ts'
import styles from './view-choices.module.css'

/** The place at which the panel opens, and the function that closes it. */
export type PanelPlace = {
  /** The button below which the panel opens. It gets the focus back when the panel closes. */
  readonly anchor: RefObject<Element | null>
  readonly onClose: () => void
}

type OrderChoicesProps = {
  readonly view: GridView
  readonly order: ListingOrder
  /** Sorts by a column, or reverses the order when the rows are sorted by that column. */
  readonly onSort: (by: SortKey) => void
}

type ViewChoicesProps = PanelPlace &
  Pick<OrderChoicesProps, 'view' | 'onSort'> & {
    /** Null while the order of the rows is not known. */
    readonly order: ListingOrder | null
    readonly onView: (view: GridView) => void
    /** Further controls of the panel, below the choices. */
    readonly children?: ReactNode
  }

/**
 * Renders the panel with the choices of the view, the order of the rows, and the size that the rows or tiles have in this view. A
 * choice takes effect at once, and the panel stays open.
 */
export function ViewChoices({ view, order, anchor, onClose, onView, onSort, children }: ViewChoicesProps) {
  useKeyScope('menu', ignoreKeys)
  const isTouch = useMedia('(pointer: coarse)')
  const chosenDensity = useStore(density)
  return (
    <I18nProvider locale={useLocale()}>
      <Popover
        isOpen
        aria-label={t('settings.viewMode')}
        triggerRef={anchor}
        placement="bottom end"
        offset={4}
        className={styles.panel ?? ''}
        onOpenChange={(isOpen) => !isOpen && onClose()}
      >
        <Choices legend={t('settings.viewMode')}>
          <Options
            options={views.map((value) => ({
              value,
              label: t(`settings.viewMode.${value}`),
              icon: icons[value],
            }))}
            chosen={view}
            isFirst
            onChoose={onView}
          />
        </Choices>
        {order !== null && <OrderChoices {...{ view, order, onSort }} />}
        {view === 'list' && !isTouch && (
          <Choices legend={t('settings.density')}>
            <Options
              options={densities.map((value) => ({ value, label: t(`settings.density.${value}`) }))}
              chosen={chosenDensity}
              onChoose={density.set}
            />
          </Choices>
        )}
        {view === 'gallery' && <TileSizeSlider />}
        {view === 'gallery' && <NamesChoice />}
        {children}
      </Popover>
    </I18nProvider>
  )
}

const icons: Readonly<Record<GridView, IconDrawing>> = { list: Rows3, mosaic: LayoutGrid, gallery: Images }

const views = ['list', 'mosaic', 'gallery'] as const satisfies readonly GridView[]

/** Renders the columns and the directions by which the rows are sorted. */
const OrderChoices = ({ view, order, onSort }: OrderChoicesProps) => (
  <Choices legend={t('listing.sort')}>
    <Options
      options={listColumns.filter(isSortable).map(({ by, label }) => ({ value: by, label: t(label) }))}
      chosen={order.by}
      onChoose={onSort}
    />
    <Options
      options={directions.map((value) => ({ value, label: t(`listing.${value}`) }))}
      chosen={directions[Number(order.descending)] ?? 'ascending'}
      // Sorting by the same column once more reverses the order.
      onChoose={() => onSort(order.by)}
    />
    {view === 'gallery' && order.by === 'modified' && <p className={styles.note}>{t('listing.dateTaken')}</p>}
  </Choices>
)

const directions = ['ascending', 'descending'] as const

/** Renders the slider for the size of the gallery's tiles, which the mouse wheel and the keyboard change as well. */
const TileSizeSlider = () => (
  <label className={styles.choices}>
    <span className={styles.legend}>{t('listing.tileSize')}</span>
    <Slider
      className={styles.slider}
      aria-label={t('listing.tileSize')}
      {...tileSizes}
      value={useStore(tileSize)}
      onChange={(event) => tileSize.set(event.currentTarget.value)}
    />
  </label>
)

/** Renders the choice when the names of pictures are visible in the gallery. */
const NamesChoice = () => (
  <Choices legend={t('listing.names')}>
    <Options
      options={(['hover', 'always'] as const).map((value) => ({ value, label: t(`listing.names.${value}`) }))}
      chosen={useStore(tileNames)}
      onChoose={tileNames.set}
    />
  </Choices>
)

type Option<T extends string> = { readonly value: T; readonly label: string; readonly icon?: IconDrawing }

type OptionsProps<T extends string> = {
  readonly options: readonly Option<T>[]
  readonly chosen: T
  /** True for the options that get the focus when the panel opens. */
  readonly isFirst?: boolean
  readonly onChoose: (value: T) => void
}

const Choices = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className={styles.choices}>
    <legend className={styles.legend}>{legend}</legend>
    {children}
  </fieldset>
)

/** Renders options beside each other, of which exactly one is chosen. The arrow keys move between them. */
function Options<T extends string>({ options, chosen, isFirst = false, onChoose }: OptionsProps<T>) {
  const name = useId()
  return (
    <div className={styles.options}>
      {options.map(({ value, label, icon }) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={value === chosen}
            ref={isFirst && value === chosen ? focusOnce : null}
            onChange={() => onChoose(value)}
          />
          {icon && <Icon icon={icon} />}
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}

/** Focuses the chosen view when the panel opens. */
function focusOnce(input: HTMLInputElement | null): void {
  if (input?.closest('[role="dialog"]')?.contains(document.activeElement) !== true) input?.focus()
}
