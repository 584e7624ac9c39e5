import { use, useId, type FunctionComponent } from 'react'
import type { FieldTexts, NumberRange, SizeRange } from '../../../../shared/contract/fields/fields.ts'
import {
  brandingFields,
  brandingForm,
  type BrandingValueTypes,
} from '../../../../shared/contract/fields/branding-fields.ts'
import {
  tusFields,
  tusForm,
  type SettingValueTypes,
  type TusValueTypes,
} from '../../../../shared/contract/setting-fields.ts'
import {
  userFields,
  userForms,
  type AccountValueTypes,
  type UserValueTypes,
} from '../../../../shared/contract/fields/user-fields.ts'
import { config } from '../../../api/config.ts'
import type { FieldFaults } from '../../../api/use-save.ts'
import { t, type PlainMessageId } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './fields.module.css'
import { AccentInput, FrameColorInput } from './color-fields.tsx'
import { HookLinesField } from './hook-lines-field.tsx'
import { LanguageField } from '../language-field.tsx'
import { NumberField } from '../number-field.tsx'
import { PermissionFields } from '../permission-fields.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'
import type { EditedUser } from '../rules/use-rule-trial.ts'
import { LogoField } from './logo-field.tsx'
import { fieldsOfGroup, isFieldFound, isLogoFound, isSettingFound, SettingSearch } from './setting-search.ts'
import { ScopeField } from './scope-field.tsx'
import { WordsField } from '../words-field.tsx'

type ValueTypes = UserValueTypes & AccountValueTypes & SettingValueTypes & BrandingValueTypes & TusValueTypes

/** The kinds of fields that forms show. */
type FormKind = Exclude<keyof ValueTypes, 'sorting' | 'authMethod' | 'nonEmptyText'>

type ChoiceTexts = { readonly choices: Readonly<Record<string, PlainMessageId>> }

/** The properties that the row of a field has because of its kind. */
type KindProperties = {
  readonly number: NumberRange
  readonly size: SizeRange
  readonly quota: SizeRange
  readonly viewMode: ChoiceTexts
  readonly theme: ChoiceTexts
}

/** The row of a field in a table of the contract. Its texts are messages of the catalogue. */
type FormField<K extends FormKind> = {
  readonly kind: K
  readonly texts: { readonly [Text in keyof FieldTexts]: PlainMessageId }
  readonly needsCommands?: true
} & (K extends keyof KindProperties ? KindProperties[K] : unknown)

type AnyFormField = { readonly [K in FormKind]: FormField<K> }[FormKind]

/** The details of a field that only its form knows, and the table does not. */
type FieldDetails = {
  /** A hint in place of the hint of the table. */
  readonly hint?: string | undefined
  /** An example in place of the example of the table. */
  readonly example?: string
  readonly isDisabled?: boolean
  /** True for a scope for which the folders on the server are offered. */
  readonly offersFolders?: true
  /** The user whose rules the field edits. Without it, the rules are those for all users. */
  readonly rulesOf?: EditedUser
}

type InputProps<K extends FormKind> = {
  readonly field: FormField<K>
  readonly label: string
  readonly hint: string | undefined
  readonly placeholder: string | undefined
  readonly value: ValueTypes[K]
  /** A method, because a component of several kinds takes the values of all of them. */
  onChange(this: void, value: ValueTypes[K]): void
  readonly error: string | null
  /** The faults of the form, for the fields of a group. */
  readonly faults: FieldFaults
  readonly details: FieldDetails
}

/** The values of some fields of a table. */
type ValuesOf<Name extends string, Table extends { readonly [N in Name]: AnyFormField }> = {
  readonly [N in Name]: ValueTypes[Table[N]['kind']]
}

type FieldsProps<Name extends string, Table extends { readonly [N in Name]: AnyFormField }> = {
  readonly table: Table
  /** The fields in the order of the screen. */
  readonly names: readonly Name[]
  readonly values: ValuesOf<Name, Table>
  readonly onChange: (changes: Partial<ValuesOf<Name, Table>>) => void
  readonly faults?: FieldFaults
  readonly details?: { readonly [N in Name]?: FieldDetails }
  /** The name of the setting whose fields these are. */
  readonly group?: string
}

/** Renders fields of a table of the contract, each by its kind. A search leaves those that it finds. */
export function Fields<const Name extends string, Table extends { readonly [N in Name]: AnyFormField }>(
  props: FieldsProps<Name, Table>,
) {
  const { table, names, values, onChange, faults = {}, details = {}, group } = props
  const words = use(SettingSearch)
  const nameOf = (name: string): string => (group === undefined ? name : `${group}.${name}`)
  return names
    .filter((name) => table[name].needsCommands !== true || config().EnableExec)
    .filter((name) => isSettingFound(words, nameOf(name), table[name]))
    .map((name) => (
      <Field
        key={name}
        field={table[name]}
        value={values[name]}
        onChange={(value) => onChange({ [name]: value } as Partial<ValuesOf<Name, Table>>)}
        error={faults[name] ?? null}
        faults={faults}
        details={(details as Readonly<Record<string, FieldDetails>>)[name] ?? {}}
        // A group that is found itself shows all of its fields.
        isWhole={fieldsOfGroup(table[name]).length > 0 && isFieldFound(words, nameOf(name), table[name])}
      />
    ))
}

type FieldProps = Pick<InputProps<FormKind>, 'error' | 'faults' | 'details'> & {
  readonly field: AnyFormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isWhole: boolean
}

function Field({ field, details, isWhole, ...rest }: FieldProps) {
  const { label, heading, hint, example } = field.texts
  const Input = inputs[field.kind] as FunctionComponent<
    Omit<FieldProps, 'isWhole'> & Omit<InputProps<FormKind>, keyof FieldProps>
  >
  const input = (
    <Input
      {...rest}
      field={field}
      details={details}
      label={t(label)}
      hint={details.hint ?? (hint && t(hint))}
      placeholder={details.example ?? (example && t(example))}
    />
  )
  return (
    <>
      {heading !== undefined && <h2 className={styles.heading}>{t(heading)}</h2>}
      {isWhole ? <SettingSearch value={[]}>{input}</SettingSearch> : input}
    </>
  )
}

type TextKind = 'text' | 'path' | 'folder' | 'scope' | 'link' | 'username' | 'newPassword'

/** The attributes of fields for texts that the machine reads. */
const machineText = { dir: 'ltr', spellCheck: false } as const

const textAttributes = {
  text: {},
  path: machineText,
  folder: machineText,
  scope: machineText,
  link: { type: 'url', dir: 'ltr' },
  username: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false },
  newPassword: { type: 'password', autoComplete: 'new-password' },
} as const satisfies Readonly<Record<TextKind, object>>

const TextInput = ({ field, label, hint, placeholder, value, onChange, error }: InputProps<TextKind>) => (
  <TextField
    {...textAttributes[field.kind]}
    label={label}
    hint={hint}
    placeholder={placeholder}
    value={value}
    error={error}
    onChange={({ target }) => onChange(target.value)}
  />
)

function ScopeInput(props: InputProps<'scope'>) {
  const { label, hint, value, onChange, error, details } = props
  if (details.offersFolders !== true) return <TextInput {...props} />
  return <ScopeField label={label} note={hint} value={value} error={error} onChange={onChange} />
}

/** Renders a checkbox. The hint below it describes the effect. */
function SwitchInput({ label, hint, value, onChange, details }: InputProps<'switch'>) {
  const id = useId()
  const box = (
    <Checkbox
      label={label}
      checked={value}
      disabled={details.isDisabled}
      aria-describedby={hint === undefined ? undefined : id}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
  if (hint === undefined) return box
  return (
    <div>
      {box}
      <p id={id} className={styles.boxHint}>
        {hint}
      </p>
    </div>
  )
}

function ChoiceInput({ field, label, hint, value, onChange }: InputProps<'viewMode' | 'theme'>) {
  const options = Object.entries(field.choices).map(([choice, text]) => ({ value: choice, label: t(text) }))
  return (
    <SelectField
      label={label}
      hint={hint}
      value={Object.hasOwn(field.choices, value) ? value : options[0]?.value}
      options={options}
      onChange={({ target }) => onChange(target.value as typeof value)}
    />
  )
}

const NumberInput = ({ field, label, hint, value, onChange }: InputProps<'number'>) => (
  <NumberField
    label={label}
    hint={hint}
    value={value}
    range={field.range}
    onChange={(next) => next !== null && onChange(next)}
  />
)

/** Renders a field for a size in the unit of the table. A quota may be empty. */
function SizeInput({ field, label, hint, value, onChange }: InputProps<'size' | 'quota'>) {
  const { kind, range, unitBytes } = field
  const [leastUnits, mostUnits] = [range[0] / unitBytes, range[1] / unitBytes]
  return (
    <NumberField
      label={label}
      hint={hint}
      value={value === null ? null : value / unitBytes}
      // The sentence about the range has numbers with at most three decimals.
      range={[Math.ceil(leastUnits * 1000) / 1000, Math.floor(mostUnits)]}
      step="any"
      isOptional={kind === 'quota'}
      onChange={(next) => onChange(next === null ? null : Math.round(next * unitBytes))}
    />
  )
}

const WordsInput = ({ label, hint, placeholder, value, onChange }: InputProps<'words'>) => (
  <WordsField label={label} hint={hint} placeholder={placeholder} value={value} onChange={onChange} />
)

const RulesInput = ({ hint, value, onChange, error, details }: InputProps<'rules'>) => (
  <RuleEditor hint={hint} value={value} onChange={onChange} error={error} user={details.rulesOf} />
)

function BrandingInput({ hint, value, onChange, faults }: InputProps<'branding'>) {
  const words = use(SettingSearch)
  return (
    <>
      <p className={styles.hint}>{hint}</p>
      {isLogoFound(words) && <LogoField />}
      <Fields
        table={brandingFields}
        group="branding"
        names={brandingForm}
        values={value}
        onChange={(changes) => onChange({ ...value, ...changes })}
        faults={faults}
      />
    </>
  )
}

const TusInput = ({ value, onChange }: InputProps<'tus'>) => (
  <Fields
    table={tusFields}
    group="tus"
    names={tusForm}
    values={value}
    onChange={(changes) => onChange({ ...value, ...changes })}
  />
)

const DefaultsInput = ({ value, onChange }: InputProps<'userDefaults'>) => (
  <Fields
    table={userFields}
    group="defaults"
    names={userForms.defaults}
    values={value}
    onChange={(changes) => onChange({ ...value, ...changes })}
  />
)

/** The components that render fields, by field kind. */
const inputs: { readonly [K in FormKind]: FunctionComponent<InputProps<K>> } = {
  switch: SwitchInput,
  text: TextInput,
  path: TextInput,
  folder: TextInput,
  scope: ScopeInput,
  color: FrameColorInput,
  accent: AccentInput,
  link: TextInput,
  username: TextInput,
  newPassword: TextInput,
  number: NumberInput,
  size: SizeInput,
  quota: SizeInput,
  viewMode: ChoiceInput,
  theme: ChoiceInput,
  language: LanguageField,
  permissions: PermissionFields,
  words: WordsInput,
  rules: RulesInput,
  hookLines: HookLinesField,
  branding: BrandingInput,
  tus: TusInput,
  userDefaults: DefaultsInput,
}
