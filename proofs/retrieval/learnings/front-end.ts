// One Learning a line: slug | text | the file it was written for, if any.

export const react = `
react-key-stable | Keys are ids of the data, never the array index, in lists that can be sorted, filtered or edited.
react-effect-derive | Do not mirror props into state with useEffect. Compute derived values while rendering.
react-effect-cleanup | An effect that subscribes, starts a timer or fetches returns a cleanup; abort the fetch with an AbortController.
react-effect-deps | Do not silence exhaustive-deps. If a dependency changes too often, move the function into the effect or use an event ref.
react-query-server-state | Server data lives in TanStack Query and not in Redux or useState; copies get stale. | web/src/queries/
react-query-keys | Query keys come from the queryKeys factory, so that invalidation after a mutation hits all variants.
react-memo-measure | useMemo and React.memo need a profiler recording that shows the gain. Otherwise they are noise.
react-context-split | A context that changes often is split from the one that does not; every consumer renders again on each change.
react-controlled | An input is controlled or uncontrolled for its whole life. value={undefined} at first render causes the warning and lost text.
react-no-inline-components | Do not define components inside of components; each render makes a new type and the inputs lose focus.
react-event-not-effect | What happens because of a click belongs in the click handler, not in an effect that watches a flag.
react-suspense-boundary | Place Suspense boundaries around regions that load together, with skeletons of the final size.
react-lazy-routes | Routes are loaded with lazy(); the editor alone is 400 kB and most visitors never open it.
react-server-client | Mark 'use client' at the leaves. A client directive on a layout pulls the whole tree into the bundle.
react-hydration | Nothing random, local or time-dependent in the first render; Date.now() and window checks produce hydration mismatches.
react-form-library | Forms use react-hook-form with the Zod resolver. No new hand-written form state.
react-optimistic-rollback | An optimistic update keeps the former value and restores it on failure with a message.
react-props-boolean | More than two boolean props mean a variant: variant="danger", not isRed isBig isOutlined.
react-children-over-props | Prefer composition with children or slots to passing a dozen render options through three levels.
react-setstate-updater | Use the updater form setCount(c => c + 1) when the next state depends on the last one.
react-no-prop-spread | Do not spread unknown props on DOM elements; list what is passed or attributes leak into the markup.
react-url-state | Filters, tabs and page numbers live in the URL, so that a link shows the same view and Back works.
react-virtual-list | Lists of more than 200 rows are virtualised with @tanstack/react-virtual.
react-storybook | Each shared component has a story for each state: empty, loading, failed, long text.
`

export const css = `
css-tokens-only | Colours, spacing and font sizes come from design tokens (--color-…, --space-…). Hex values in components are refused. | packages/tokens/
css-no-important | No !important outside of the reset and print sheets; raise a cascade layer instead.
css-logical-props | Use margin-inline-start and padding-block instead of left and right, for right-to-left languages.
css-z-index-scale | z-index values come from the scale in layers.css. 99999 is not a layer. | styles/layers.css
css-no-nesting-deep | Selectors nest at most two levels; style by class and not by the structure of the markup.
css-container-queries | Components adapt with container queries. Media queries are for page layouts only.
css-rem-not-px | Font sizes and spacings are in rem, so that the browser's text size setting works. Borders may be px.
css-dark-mode | Check every new surface in dark mode; use the semantic token surface-raised, not gray-100.
css-no-fixed-height | No fixed heights on elements with text: German labels are 30 % longer and zoom breaks them.
css-button-component | Use Button from the design system. A styled div or link that looks like one is refused.
css-animation-reduced | Animations respect prefers-reduced-motion and only change transform and opacity.
css-grid-gap | Space siblings with gap on the parent, not with margins on the children; the last margin always needs an exception.
css-images-dimensions | Give images width and height or aspect-ratio, to prevent layout shift.
css-font-loading | Web fonts are subset, preloaded and use font-display: swap with a size-adjusted fallback.
css-modules | Styles are CSS modules beside the component. Global class names collide between micro front ends.
css-icons-sprite | Icons come from the Icon component and inherit currentColor; do not paste SVG markup into pages.
css-breakpoints | Use only the breakpoints sm, md, lg from the tokens; a one-off at 913 px fixes one phone and breaks two.
css-truncate-title | Text that is cut off with ellipsis can be read in full by tooltip and on focus.
css-unused-remove | Delete the style when you delete the markup. The sheet has 40 % dead rules.
css-print | Invoices and tickets have a print style that is checked in the snapshot test.
css-focus-ring | Do not remove the outline. Style :focus-visible with the focus token.
css-hover-touch | What appears on hover must also be reachable by tap; wrap hover styles in @media (hover: hover).
css-overflow-scroll | Wide tables scroll inside of their own container; the page itself never scrolls sideways.
css-design-exception | If the mock-up deviates from the system, ask the design system channel before building a variant.
`

export const accessibility = `
a11y-button-element | Clickable things are button or a elements. A div with onClick cannot be reached by keyboard.
a11y-label-inputs | Every field has a visible label bound with for and id; a placeholder is not a label.
a11y-icon-name | Buttons with only an icon need an accessible name through aria-label, in the user's language.
a11y-alt-text | Informative images have alt text that says what matters; decorative ones have alt="".
a11y-focus-dialog | A dialog takes focus when it opens, keeps it inside, closes with Escape and returns it to the opener.
a11y-live-region | Announce results that appear without navigation, such as saved or 3 results, in a polite live region.
a11y-contrast | Text has a contrast of 4.5 to 1 at least, also placeholder and disabled-looking links.
a11y-colour-alone | Do not convey state by colour alone; add an icon or a word.
a11y-heading-order | Headings follow the outline without skipping levels; choose the size by class and not by level.
a11y-error-link | Form errors are tied to their field by aria-describedby, and focus goes to the first wrong one on submit.
a11y-aria-last | Use native elements before ARIA. A wrong role is worse than none.
a11y-keyboard-drag | Whatever can be dragged can also be moved by keyboard or menu.
a11y-skip-link | Each page begins with a skip link to main, and has exactly one main landmark.
a11y-target-size | Touch targets are at least 44 by 44 pixels, or have that much space.
a11y-motion-autoplay | Nothing moves or plays for longer than five seconds without a pause button.
a11y-page-title | Update document.title and move focus to the heading on client-side navigation; screen readers notice nothing otherwise.
a11y-table-headers | Data tables use th with scope and a caption; layout is not done with tables.
a11y-axe-ci | Pages in the end-to-end suite run axe; violations fail the build and exceptions need an issue. | e2e/axe.config.ts
a11y-zoom-400 | The page works at 400 % zoom without horizontal scrolling and without lost functions.
a11y-autocomplete | Personal fields carry the autocomplete attribute, for instance given-name and one-time-code.
a11y-timeouts | Warn before a session ends and let people extend it; some need longer to fill in a form.
a11y-lang-attr | Set lang on html and on passages in another language, as pronunciation depends on it.
a11y-test-reader | New widgets are tried with VoiceOver or NVDA, and the pull request says so.
a11y-disabled-buttons | Prefer an enabled submit button with a message about what is missing to a disabled one without reason.
`
