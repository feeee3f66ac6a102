/** Accessibility, languages, time, money, business, product and people. */
export const people = `
accessibility a11y accessible wcag screen_reader assistive aria inclusive blind | disability keyboard label alt contrast focus
screen_reader assistive_technology voiceover nvda | accessibility announce label read
alt_text alternative_text image_description alt | image accessibility describe
contrast color_contrast legible_text | color accessibility readable
focus focus_ring focus_trap focus_management focus_order tab_order | keyboard accessibility modal
aria_label label_element form_label accessible_name | label accessibility input
keyboard_access keyboard_only keyboard_navigation without_mouse | accessibility focus mouse
reduced_motion prefers_reduced vestibular | animation accessibility
color_blind colorblind color_only | color accessibility
heading_level heading_order landmark | accessibility html structure
internationalization i18n localization l10n translation translate localize locale multilingual | language text country string message
translation_key message_catalog translatable hardcoded_text hardcoded_string gettext | translation text user
pluralization plural_form plural | translation number language
right_to_left rtl bidi | language layout
locale regional country_specific | language format date number
currency_format number_format date_format | locale
time_zone timezone utc tz daylight_saving dst local_time offset_time | date time clock region
utc gmt zulu | time_zone timestamp store
daylight_saving dst summer_time | time_zone hour clock
date_arithmetic leap_year calendar_day add_day end_of month_end | date time
duration interval elapsed time_span | time second measure
epoch unix_time unix_timestamp millisecond | time timestamp
iso_8601 iso8601 rfc3339 date_string | date format timestamp
clock now current_time system_time injected_clock | time test
money currency amount price monetary cent payment_amount | decimal rounding euro dollar
rounding round banker_rounding truncate | decimal number money
payment pay checkout stripe charge card credit_card paypal | money order customer
refund chargeback reimburse | payment money
invoice billing bill receipt subscription_billing | payment customer amount
subscription plan tier paid | billing customer
tax vat sales_tax | amount invoice price
discount coupon promotion voucher | price
order purchase cart basket shopping_cart buy | payment customer product
inventory stock warehouse_stock | product quantity
product item goods sku merchandise | inventory catalog
shipping delivery_order parcel shipment | order address
ledger accounting double_entry bookkeeping balance | money transaction account
account profile user_account | user login
user customer member client_user end_user visitor people person | account
employee staff worker_person colleague | person team
team squad group | people
organization company tenant_organization enterprise business workspace | customer account
notification alert_user notify inform remind | message user email
message_text copy wording microcopy phrase | text user
onboarding signup registration register sign_up | user account new
invite invitation | user email
preference user_setting personalization | setting user
search_box search_bar | find input
report dashboard chart graph_chart visualization | data metric
map_location geolocation latitude longitude coordinate gps | place
address postal zip_code street | location
phone_number telephone | contact format
unit_of measurement metric_unit imperial | number
percentage percent ratio proportion | number
health medical patient clinical | privacy
legal law terms | compliance
game gameplay player unity unreal | frame render
frame_rate fps frame_budget | game render performance
hardware device firmware embedded microcontroller iot | memory driver
sensor actuator telemetry_device | device
driver kernel interrupt_handler isr | hardware
robot robotics drone autonomous | control
blockchain smart_contract solidity ethereum wallet | transaction token
reentrancy_attack gas_limit | contract
science simulation numerical | calculate
`
