import { memo, useCallback, useLayoutEffect, useRef } from 'react'
import type { ReactNode, Ref } from 'react'
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  Text,
  TextArea,
  TextField as AriaTextField,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

type ButtonProps = {
  children: ReactNode
  onPress?: () => void
  variant?: 'plain' | 'primary' | 'quiet' | 'danger'
  icon?: IconName
  isDisabled?: boolean
  isPending?: boolean
  type?: 'button' | 'submit'
  autoFocus?: boolean
  /** Its name for screen readers, where its words alone do not say what it is about. */
  ariaLabel?: string
  /** The keys that do the same, shown beside the words. */
  keys?: string
  ref?: Ref<HTMLButtonElement>
}

/** Keeps the identity of `onPress`, so that a button does not render again only because its parent did. */
function usePress(onPress: (() => void) | undefined): (() => void) | undefined {
  const latest = useRef(onPress)
  useLayoutEffect(() => {
    latest.current = onPress
  }, [onPress])
  const press = useCallback(() => latest.current?.(), [])
  return onPress && press
}

/** A button with words. */
export function Button({ onPress, ...rest }: ButtonProps): ReactNode {
  return <WordButton {...rest} onPress={usePress(onPress)} />
}

const WordButton = memo(function WordButton({
  children,
  variant = 'plain',
  icon,
  type = 'button',
  ariaLabel,
  keys,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <AriaButton
      {...rest}
      type={type}
      className={`button button--${variant}`}
      {...(ariaLabel ? { 'aria-label': ariaLabel } : {})}
    >
      {icon && <Icon name={icon} size={14} />}
      <span className="button__text">{children}</span>
      {keys && <kbd aria-hidden="true">{keys}</kbd>}
    </AriaButton>
  )
})

type IconButtonProps = { icon: IconName; label: string; onPress: () => void; isDisabled?: boolean; keys?: string }

/** A button that is only a drawing; its words are its name and its tooltip. */
export function IconButton({ onPress, ...rest }: IconButtonProps): ReactNode {
  return <DrawnButton {...rest} onPress={usePress(onPress)} />
}

const DrawnButton = memo(function DrawnButton({
  icon,
  label,
  onPress,
  isDisabled,
  keys,
}: Omit<IconButtonProps, 'onPress'> & Pick<ButtonProps, 'onPress'>): ReactNode {
  return (
    <TooltipTrigger delay={500} closeDelay={50}>
      <AriaButton className="icon-button" aria-label={label} onPress={onPress} isDisabled={isDisabled}>
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
        {keys && <kbd>{keys}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  )
})

/** `keys`: by which it is chosen without opening the list. */
export type Choice<K extends string> = { key: K; label: string; detail?: string; keys?: string }

type SelectProps<K extends string> = {
  label: string
  choices: Choice<K>[]
  value: K | null
  onChange: (key: K) => void
  /** `chip`: small and round, its label only spoken. */
  look?: 'field' | 'chip'
  placeholder?: string
  hint?: string
  isDisabled?: boolean
  /** The label is spoken only; what stands around the field says it to the eye. */
  labelHidden?: boolean
}

/** One of a few. */
export function Select<K extends string>({
  label,
  choices,
  value,
  onChange,
  look = 'field',
  placeholder,
  hint,
  isDisabled,
  labelHidden = look === 'chip',
}: SelectProps<K>): ReactNode {
  const active = look === 'chip' && value !== null && value !== choices[0]?.key
  return (
    <AriaSelect
      className={`select select--${look}`}
      data-active={active || undefined}
      value={value}
      onChange={(key) => key !== null && onChange(String(key) as K)}
      placeholder={placeholder}
      isDisabled={isDisabled}
      aria-label={labelHidden ? label : undefined}
    >
      {!labelHidden && <Label className="label">{label}</Label>}
      <AriaButton className="select__button">
        <SelectValue className="select__value">
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <Icon name="chevron" size={12} />
      </AriaButton>
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <Popover className="popover" offset={4}>
        <ListBox className="list-box" items={choices.map((choice) => ({ ...choice, id: choice.key }))}>
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.label} className="list-box__item">
              {({ isSelected }) => (
                <>
                  <span className="list-box__check">{isSelected && <Icon name="check" size={12} />}</span>
                  <span className="list-box__words">
                    <span className="ellipsis" title={choice.label}>
                      {choice.label}
                    </span>
                    {choice.detail && <small>{choice.detail}</small>}
                  </span>
                  {choice.keys && <kbd>{choice.keys}</kbd>}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  problem?: string | null
  type?: 'text' | 'url' | 'password'
  placeholder?: string
  isRequired?: boolean
  isDisabled?: boolean
  multiline?: number
  autoFocus?: boolean
  mono?: boolean
  /** The label is spoken only; what stands around the field says it to the eye. */
  labelHidden?: boolean
}

/** A line or a few lines of text with its label, hint and problem. */
export function TextField({
  label,
  hint,
  problem,
  placeholder,
  multiline,
  mono,
  labelHidden,
  type = 'text',
  ...rest
}: TextFieldProps): ReactNode {
  const className = `input${mono ? ' input--mono' : ''}`
  return (
    <AriaTextField
      {...rest}
      type={type}
      className="text-field"
      isInvalid={!!problem}
      aria-label={labelHidden ? label : undefined}
      autoComplete={type === 'password' ? 'new-password' : 'off'}
    >
      {!labelHidden && <Label className="label">{label}</Label>}
      {multiline ? (
        <TextArea className={className} rows={multiline} placeholder={placeholder} spellCheck={false} />
      ) : (
        <Input className={className} placeholder={placeholder} spellCheck={false} />
      )}
      {hint && !problem && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
    </AriaTextField>
  )
}

type OnOffProps = { children: ReactNode; isSelected: boolean; onChange: (on: boolean) => void; hint?: string }

/** A switch with a label; it takes effect at once. */
export function Switch({ children, isSelected, onChange, hint }: OnOffProps): ReactNode {
  return (
    <AriaSwitch className="switch" isSelected={isSelected} onChange={onChange}>
      <span className="switch__track" aria-hidden="true" />
      <span>
        {children}
        {hint && <small className="hint">{hint}</small>}
      </span>
    </AriaSwitch>
  )
}

/** On or off, with words. */
export function Checkbox({
  children,
  isSelected,
  onChange,
  hint,
  isDisabled,
}: OnOffProps & { isDisabled?: boolean }): ReactNode {
  return (
    <AriaCheckbox className="checkbox" isSelected={isSelected} onChange={onChange} isDisabled={isDisabled}>
      <CheckMark />
      <span>
        {children}
        {hint && <small className="hint">{hint}</small>}
      </span>
    </AriaCheckbox>
  )
}

/** The drawn box of a checkbox; its state comes from the data attributes of what is around it. */
export function CheckMark({ state }: { state?: 'on' | 'off' | 'mixed' }): ReactNode {
  return (
    <span className="check-mark" data-state={state} aria-hidden="true">
      <Icon name={state === 'mixed' ? 'minus' : 'check'} size={12} />
    </span>
  )
}
