/** Situations around what people see: front-end state, styles, accessibility, languages, mobile apps. */
export const useScreens = `
component useeffect cleanup return_function unsubscribe removeeventlistener clearinterval unmount leaves page handler keeps firing leak timer continues duplicate listener strict_mode
react useeffect dependency array exhaustive deps stale closure old value outdated captured updates missing eslint_disable counter stuck shows previous
component useeffect infinite loop setstate inside rerender object_literal dependency new reference request flood freezes spins endlessly network tab
react effect derived_state setstate compute render duplicate copy prop sync unnecessary flash extra usememo sources truth disagree
component effect event_handler click logic misplaced reaction submit toast fires twice user action mount run
react fetch race response late older request arrives switching tabs quickly wrong profile abortcontroller ignore flag previous item shown stale
query library tanstack swr manual fetch usestate loading error cache dedupe refetch boilerplate handwritten component repeats
react query key missing parameter cache_key filter changed data shown invalidate array argument language user mixed
component invalidate mutation refetch list save new row missing reload needed invalidatequeries stale time f5 refresh browser see change
react key index array reorder delete row input text jumps wrong checkbox moves stable id random remount focus lost
component hook conditional top_level early_return loop rendered fewer order crash rules called inside
react memo usecallback usememo premature everywhere referential noise measure profiler cheap needless wrap optimization readability habit unneeded complexity
component slow typing input lag keystroke rerender whole_page state lift colocate heavy tree push expensive child sluggish form
react context provider value object_literal consumer rerender split memoize frequently changing redraws theme auth slow typing sidebar updates
component prop_drilling pass seven layers intermediate unused composition children slot context forward grandchild passes_along wrapper uninterested refactor
react state colocation global high local modal open flag store dropdown toggle redux overkill lives unrelated screen boilerplate action
redux server data copied store entity duplicate fetched staleness manual sync slice thunk outdated backend twice reload refetch cache list
redux selector reselect memoize new_array call filter inside useselector rerender warning derived slow typing reference stable table recalculates
redux mutate reducer push place unchanged reference update screen immer toolkit spread changes unresponsive original modify silent
component batched setstate functional update previous state increment click twice counts prev race stale rapid plus quantity lost_update
react state object merge replace usestate lost key spread usereducer booleans impossible combination disappears overwritten setter partial tangled
component state_machine boolean_flags isloading iserror issuccess contradictory union status discriminated spinner error simultaneously
react useref mutable value render read dom imperative instance timer rerender current redraws stale display persist
component controlled uncontrolled warning undefined value defaultvalue switch input null_value type frozen field keystrokes ignored reset form cleared prefilled
react form library validation touched dirty rerender hook formik uncontrolled register fields keystroke large errors blur submit
component inside defined nested function remount loses focus input cursor letter jumps typing time recreated
react reset state key change different record form previous customer text remains dialog reopen leftover
component error_boundary white_screen blank page crash widget whole app unmount fallback recover report
react suspense lazy fallback flicker layout spinner flash nested boundary transition deferred loading jumpy chunk pending shown
component server_component use_client directive boundary bundle secret browser serializable prop function passed nextjs ships leaked database hook unavailable node
react hydration mismatch server html differ date random window typeof localstorage first paint warning flash useid
component dangerouslysetinnerhtml raw markup cms content dompurify sanitize inject blog html editor wysiwyg script xss
component portal modal overflow clipped index parent hidden tooltip cut bubble event dropdown popover container document body
react custom hook extract reuse duplicated logic component body naming_use stateful test separate repeated copy_paste fetch subscription share
component render list thousands virtualized window scroll janky dom nodes slow table memory freezes long_list rows browser pagination
react prop types boolean explosion variant isprimary issmall contradictory union api component mutually_exclusive contradict choose single string
react strict_mode double invoke development effect twice impure render side_effect remove strict called_twice local developer idempotent bug hidden
component test_library getbyrole user event implementation_detail enzyme state shallow query accessible click refactor brittle
optimistic update rollback server refuses button heart jumps back snapshot previous restore failed save
double_submit button disabled pending click twice order form impatient slow_network spinner duplicate record
url_state filter tab page searchparams reload loses share link bookmark back_button usestate address bar
localstorage token sensitive quota parse_error private mode json corrupted version migrate exception browser
multi tab sync logout storage event broadcastchannel stale_session windows overwritten draft signed simultaneously synchronize cart
unsaved form leave beforeunload prompt lost input typed_text navigation guard autosave draft accidental close wizard refresh essay half filled
scroll position restore back list top jump infinite_scroll remember navigation place lost product returning frustrated start
infinite_scroll footer unreachable load button memory duplicates sentinel intersectionobserver keyboard screenreader endless feed position imprint
router navigation link anchor tag full reload onclick push middle click open_new open new_tab new tab div
code_split route lazy chunk load error deploy old tab missing reload stale html hash
vue prop mutation emit child parent model warning overwritten data directly changed readonly event
vue reactivity destructure lost torefs ref value computed watch updating plain_object template stale spread deep frozen
angular subscribe takeuntil async_pipe unsubscribe leak observable nested switchmap rxjs memory destroy component duplicate calls teardown
angular change detection onpush mutate input zone template_function call slow recalculated cycle pipe signal trackby sluggish
bundle analyzer heavy library moment lodash tree_shaking first load megabyte javascript slow_phone import cost
third_party script tag manager blocks render async consent widget slow chat analytics page hangs
layout_shift cls image dimension ad banner jumps misclick reserve space skeleton content moves font
largest paint lcp hero image preload priority fetchpriority lazy fold slow first impression banner compress waiting picture
interaction latency inp long task main_thread frozen click yield scheduler worker unresponsive button
spinner flash delay skeleton minimum duration flicker fast response loading_indicator blink annoying quick threshold jumpy
empty_state first_use blank list explain call action zero items guidance confusing looks broken illustration onboarding new_user
error_state retry button failed_load endless spinner silent failure message component catch stuck offline forever user unsure try
important specificity war override cascade id selector nested deep change layer stylesheet stronger rule refuses fight
css global leak selector element page broke unrelated module scoped bem prefix collision screen table heading styled components
stylesheet magic_number pixel negative margin tweak position absolute nudge top 13px fragile align shifted looks right eyeballed layout
css design_token hex color hardcoded variable custom_property palette theme brand change grep replace shade slightly_different
stylesheet spacing scale margin multiples eight pixel arbitrary rhythm inconsistent gap padding uneven whitespace cramped token
css index 9999 stacking context modal behind dropdown hidden scale token overlay isolation overlap covers header sticky popup tooltip
css responsive breakpoint mobile_first media_query container query narrow phone horizontal scroll sideways overflow fixed_width
stylesheet viewport height 100vh mobile browser address bar dvh cut button hidden keyboard iphone safari bottom fullscreen sheet
css rem em px font_size zoom user_setting browser text enlarge root scale bigger letters preference vision accessibility setting
stylesheet logical_property margin inline start end left right rtl mirrored arabic padding direction hebrew physical
css text overflow ellipsis long word truncate break email_address bursts box tooltip unbroken german label ugly clipped username
stylesheet animation transform opacity layout property width top jank stutter change compositor sixty choppy slide scrolling smooth repaint reflow
css dark_mode prefers_color scheme invert hardcoded white unreadable logo theme flash night black text invisible background contrast
unused dead stylesheet purge remove class afraid delete grows coverage bloat nobody_dares old rules megabyte
css utility tailwind class order arbitrary value apply extract long duplication config readability repeated bracket component theme
stylesheet js runtime styled components dynamic interpolation performance prop render injected flash unstyled server slow generated
stylesheet browser_support autoprefixer fallback supports safari new_feature old browser evergreen baseline iphone customers unsupported broken layout caniuse
css font face swap invisible text fallback metric subset self_hosted weight download flash letters late jumping woff2
stylesheet icon svg sprite currentcolor font inline size inconsistent blurry pixelated color recolor mismatched
css hover touch media pointer stuck tap phone reveal menu tablet finger unreachable actions hidden
stylesheet layout component margin outside owner stack spacing parent child reuse context external card surprise collapse wrapper
design_system button variant reinvent copy implementation slightly_different existing component catalog look storybook
design_system override style prop escape_hatch classname deviates fork consistent custom css button patched looks upgrade broke
design_system deprecate component migrate codemod old button version usage count adoption generations duplicate screens gradual
design_system story example state disabled loading error documented playground visual designer preview edge_case isolated
design_system token semantic primary danger raw blue name role appearance alias rebrand meaning warning success rename color
design_system primary action hierarchy buttons destructive red placement confirm order competing confusing danger left_right click wrong
design_system form field label hint error layout consistent required mark asterisk optional aligned helper text inconsistent input
design_system copy tone button text verb sentence_case title case cancel wording microcopy
visual_regression screenshot chromatic percy baseline pixel diff unnoticed change approve accidentally shifted review image unintended
screen_reader button_div clickable span onclick keyboard enter space role tabindex native element mouse disabled user press focusable
accessibility icon button name aria_label unnamed screenreader says trash voiceover svg title unlabelled pictogram reads assistive hamburger close
screen_reader alt_text decorative empty alt image_description filename read chart infographic picture blind photo describe aloud sighted informative
accessibility form_label htmlfor placeholder disappears input label unlabeled announce fieldset legend radio group gray text vanishes typing forgets field
screen_reader error_message aria_describedby aria invalid focus first field summary red border announced submit
accessibility focus_trap modal dialog escape closes return focus background inert tab behind popup showmodal
screen_reader focus outline none invisible ring focus_visible tabbing lost keyboard user see selected removed border highlight
accessibility focus_management route change single_page heading announce title silent navigation deleted item focus body
screen_reader tab_order positive tabindex visual order dom jumps_around flex reverse keyboard confusing sequence skips illogical
accessibility skip link main content repeated navigation landmark bypass tabs header page keyboard press twenty
screen_reader heading_level h1 h3 skip outline structure styled div bold text bigger font screenreader jump section
accessibility contrast ratio light gray wcag four point text image disabled placeholder sunlight hard_read
screen_reader color red green colorblind status dot required chart legend pattern icon text addition deuteranopia distinguish graph traffic light
accessibility live_region aria live polite status toast announced cart updated results count silent change
screen_reader aria misuse redundant role wrong first rule native broken attribute conflicting screenreader confused announces twice lint remove
accessibility aria expanded disclosure menu accordion toggle state collapsed open controls screenreader unaware hamburger dropdown
screen_reader combobox autocomplete listbox active descendant arrow keys option pattern apg custom select typeahead dropdown keyboard suggestions unreachable
accessibility custom checkbox hidden input toggle switch state pressed aria checked styled screenreader unticked slider visually keyboard space
screen_reader table header scope caption grid layout div_table data cell row association columns reads meaningless spreadsheet
accessibility link text click read ambiguous context purpose learn list screenreader user details vague
screen_reader link button difference navigates action anchor href role semantics new_tab hash middle click enter key cursor
accessibility target size pixel small tap fat finger close icon spacing tremor missed thumb phone adjacent elderly
screen_reader reduced_motion prefers vestibular parallax autoplay carousel dizzy flashing seizure nausea motion sickness spinning disable animation blink
accessibility autoplay video sound pause control captions subtitles transcript deaf hard hearing muted noisy starts
screen_reader zoom 200 percent 400 reflow user scalable maximum scale pinch disabled enlarge clipped low vision mobile viewport bigger horizontally
accessibility timeout session warning extend time countdown slow reader expires typing logged form lost elderly deadline
screen_reader drag drop alternative keyboard reorder move buttons sortable pointer kanban mouse motor impairment arrow
accessibility tooltip hover content dismiss keyboard reach title attribute essential information disappears touch device explanation hidden
screen_reader infinite carousel pause slide arrow autoplay rotating control moving content distracting stops slideshow
accessibility language attribute html_lang pronunciation wrong voice screenreader foreign phrase german text read english accent
screen_reader disabled button explain unreachable aria gray submit unclear clicking confused missing requirement
screen_reader automated axe lighthouse lint manual screenreader nvda test ci half issues checker passes unusable real_users
screen_reader password paste autocomplete attribute time_code cognitive captcha manager blocked remember type twice copy_code otp
translate hardcoded string english literal jsx message_catalog key extract untranslated mixed language button
translate concatenate sentence fragment word_order placeholder glue grammar gender pieced split foreign language word
translate plural icu count equals item russian arabic ternary polish languages apple grammar quantity zero
translate key_naming english key context duplicate reuse different meaning noun verb open identical translators mistake
translate context note translator screenshot description ambiguous short word comment string guess wrong meaning shown
translate html message tags rich_text link component placeholder markup broken bold anchor split sentence translators inject
translate missing key fallback language raw shown blank log default locale users_see dotted placeholder untranslated half
translate unused key orphan cleanup lint catalog stale grows dead strings paid translation files remove
translate edited source changed meaning key old translation outdated retranslate new text german says
translate backend message error_code server text language email push accept_language recipient api returns english frontend shows
translate user locale recipient language sender mail worker thread job request_context wrong letter arrives foreign queue cron
translate enum value database text status label raw constant displayed upper_case shipped progress underscore shown customer
translate pseudo locale expansion longer german thirty percent overflow truncated test accent characters cut button narrow finnish design
translate catalog loading bundle languages lazy split locale size download unneeded first import dynamic
translate interpolated variable name escaped percent positional order missing_variable mismatch curly braces forgot undefined text
translate locale routing hreflang url prefix redirect ip browser language switcher remember visitor lands foreign vpn cookie choice
locale number decimal comma thousand separator parse input intl numberformat grouping wrong magnitude point european typed parsefloat hundred times
locale currency display symbol position intl narrow hardcoded dollar euro number prefix pounds format
locale date display month day order ambiguous dateformat intl hardcoded pattern american european july april confusion format
locale sort collator umlaut alphabetical accent localecompare ascii order names swedish list bottom wrongly
locale case conversion turkish tolowercase dotless uppercase invariant culture identifier istanbul comparison login fails lowercase machine
locale unit measure miles kilometers fahrenheit metric paper inches convert imperial weather distance pounds customers
locale first weekday sunday monday week number calendar start grid europe columns
locale address postal zip state required country_specific foreign customers order checkout irish hong kong form province
locale person name order family first honorific middle single field greeting surname dear mr chinese
locale text direction bidi rtl dir auto mixed arabic hebrew number sentence arrow icon mirrored
locale unicode_length emoji grapheme substring cut half surrogate truncate count characters reverse broken symbol black diamond length limit
locale encoding utf8 mojibake question_marks latin1 utf8mb4 charset garbled accents bom strange symbols umlauts csv import export displayed
locale server_default machine tostring format culture parse works different region comma dot server moved germany float string crash production
locale language versus country flag icon region spanish mexico swiss choice belgium quebec dropdown picks
android main_thread network anr responding strictmode coroutine dispatcher io disk frozen app database_query screen dialog wait close
android configuration_change rotate screen lost input viewmodel savedstate recreate turning phone form emptied typed_text disappears landscape
android process death restored background killed savedinstancestate returns later blank crash switch app memory pressure started
android context leak activity static singleton applicationcontext inner class handler leakcanary screen closed memory referenced listener outlive
android lifecycle collect flow repeatonlifecycle livedata viewlifecycleowner background update destroy hidden screen crash leaving wasted
android compose recomposition unstable lambda remember side_effect launchedeffect state hoisting derivedstateof redraw lag list whole screen slow
android workmanager background_job alarm exact doze battery optimization foreground service killed vendor sync stops overnight samsung xiaomi scheduled runs
android permission runtime rationale denied forever settings camera notification ask launch refuses user annoyed context first explain
android intent exported deep_link component implicit pending mutable hijack app launch malicious invoke
android proguard r8 minify release crash reflection keep rule serialization obfuscated works debug store build json
android back gesture predictive navigation stack exits app unexpected press hardware leave unexpectedly close
ios main actor ui update background thread dispatchqueue purple warning freeze label crash blink delay async
ios retain_cycle weak self closure delegate deinit called memory grows viewcontroller instruments leak screen closed alive
ios force unwrap optional iboutlet nil crash guard implicitly exclamation mark unexpectedly found storyboard launch
ios keychain userdefaults token secret plist insecure backup accessible password stored plain stolen phone
ios swiftui state object observedobject recreated environment view identity lost resets navigation counter subview input
ios background_task expiration fetch suspended upload stops urlsession closes app halfway download system kills
phone offline signal tunnel queue writes local database sync conflict airplane lost entry basement reconnect later devices edits
mobile flaky_network retry timeout resume upload slow 3g request pending elevator subway train reconnect spinner endless partial
battery drain location updates gps wakelock polling interval background hot phone complaints warm percent hourly wake
mobile data usage image_size cellular metered wifi prefetch roaming expensive plan megabytes photos thumbnails abroad
phone deep_link universal link app cold_start installed logged route wrong screen opens browser homepage mail login
mobile push token refresh register logout user device shared stale unregistered receives_messages previous owner sold phone notifications stop
phone push content lock_screen sensitive silent badge count localized payload deep strangers see preview read shoulder
mobile force upgrade minimum_version remote config store review old release used kill unsupported blocked prompt stuck update
phone staged rollout phased crash rate halt store release rollback hotfix days five percent broken_build users stuck reviewers
mobile crash report symbolicate dsym mapping_file unreadable stack breadcrumbs upload obfuscated read line_numbers
phone startup_time cold launch splash sdk init lazy main heavy oncreate slow open seconds white_screen launcher tap icon wait
mobile list scroll recyclerview cell reuse image flicker wrong picture diffutil prefetch stutter flashing avatar row recycled fast
phone image memory bitmap downsample full resolution cache large photo gallery camera crash thumbnails scaled
mobile secure_storage jailbreak root biometric encrypted token plain preferences stolen device fingerprint extracted backup
phone certificate_pinning expiry rotate backup pin app stops connecting certificate_renewed everybody locked hash
phone screenshot app switcher blur sensitive screen flag secure recent bank balance visible multitasking recording
mobile local database migration upgrade path room coredata crash update skipped versions old install data_lost column
phone react_native bridge native_module hermes flatlist air codepush version mismatch javascript update native incompatible crash slow list
mobile flutter buildcontext async gap mounted setstate dispose const widget rebuild leaving exception stateful provider
phone keyboard covers input scroll ime inset submit hidden input_type numeric pad typing button login field
phone api_key embedded apk decompile extract secret app proxy backend reverse engineer strings stolen bill shipped
phone permission denied graceful fallback manual entry settings link feature hidden refused works blank screen camera
phone app purchase receipt validate server restore subscription status client trusted fake jailbroken unlocked premium
`
