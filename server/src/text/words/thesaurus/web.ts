/** HTTP, API design, front end, mobile, markup and style. */
export const web = `
api endpoint rest restful rest_api interface route http_api | request client resource http service
endpoint route handler controller action url_path | request api http url
graphql resolver apollo mutation_resolver | query api schema field
grpc rpc remote_procedure | service call protobuf
openapi swagger api_specification api_doc api_schema | documentation endpoint schema contract
http https web_request http_request | request header status server
request http_call call inquiry | client server response
response reply answer return_value | server request result body
status_code http_status 200 404 500 400 422 | response error http code
not_found 404 missing_resource | status absent
bad_request 400 422 unprocessable validation_error invalid_request | validate status input error
server_error 500 internal_error internal_server | failure status exception
created 201 location_header | post resource
get_request safe_method get | read http side_effect
post put patch http_method verb http_verb | update create http
header http_header content_type user_agent | request response
content_type mime mime_type media_type | header format
body payload request_body | request json data
query_string query_parameter query_param url_parameter search_param | url request filter
url uri link href address hyperlink | web path
redirect 301 302 forward | url location
client consumer caller api_client | server user request
sdk client_library wrapper | api client
contract interface_contract api_contract consumer_contract | api promise schema compatible
validation validate validator input_validation verify check | input schema rule reject wrong constraint
reject refuse deny decline disallow | invalid request error
input user_input form_data argument | field validate enter
form input_field text_field textbox | submit field validate user
submit submission send_form save_button | form button
button clickable cta | click press form
click tap press touch mouse | button event user
browser chrome firefox safari web_browser | web page javascript
frontend front_end client_side ui web_app browser_code | browser component page
backend back_end server_side | server api
javascript js ecmascript typescript ts node nodejs | browser script language
react jsx hook useeffect usestate component_tree | component state render frontend
useeffect effect effect_dependency dependency_array effect_hook | react hook cleanup render
vue angular svelte nuxt | component frontend framework
nextjs ssr server_rendering server_side hydration hydrate | react page html
component widget ui_component element control | render frontend view
prop props component_property | component react pass
state store redux zustand vuex state_management | component update
re_render rerender render rendering repaint redraw | component performance update display
memo usememo usecallback memoized | render react performance
key_prop list_key | list react render index
dom document_object html_element | browser element node
html markup semantic_html tag | page element web
css stylesheet style scss sass styling tailwind | design layout class color
layout flexbox grid positioning | css page responsive
responsive breakpoint media_query mobile_first small_screen | layout width screen phone viewport
viewport screen_size window_size | responsive width
color palette theme design_token dark_mode light_mode theming | style css contrast
z_index stacking overlay | css layer modal
animation transition motion animate | css movement
modal dialog popup overlay lightbox | window focus close
dropdown combobox select_box menu autocomplete | list option choose
tooltip hint popover | hover text
toast snackbar banner notification_message flash_message | message user show
spinner skeleton loading_state loading_indicator progress_bar placeholder | wait loading feedback
empty_state no_result blank_state | list message
error_message error_text user_message | show error friendly explain
image picture photo img thumbnail | alt size file
image_optimization webp lazy_image srcset | image size load
font typeface typography web_font | text style
icon svg glyph pictogram | image button
video audio media | play file
scroll scrolling virtual_list virtualize windowing | list long page
event_listener addeventlistener event_handler subscription | cleanup remove event leak
unmount unsubscribe detach teardown_listener removeeventlistener | cleanup listener component
local_storage localstorage session_storage sessionstorage indexeddb browser_storage | browser token store
cookie httponly samesite secure_cookie | browser session
service_worker pwa offline offline_mode offline_first | cache browser network
seo search_engine meta_tag sitemap | page title google
analytics tracking google_analytics event_tracking telemetry_event | user event privacy
navigation router routing breadcrumb menu deep_link | page link url
tab panel accordion | navigation
keyboard shortcut hotkey keyboard_navigation | focus key accessibility
mobile ios android phone smartphone app native_app | device screen
swift swiftui objective_c uikit xcode | ios apple
kotlin android_studio jetpack java_android | android
flutter react_native dart | mobile cross_platform
activity fragment viewcontroller view_controller view_model viewmodel | mobile lifecycle screen
push_notification apns fcm | mobile notification
battery power_usage wake_lock | mobile energy
app_store play_store app_release | mobile release
permission_prompt runtime_permission | mobile camera location
gesture swipe pinch | touch mobile
email mail smtp newsletter email_template | send message inbox
pdf print report | document export
iframe embed third_party_script | frame external
websocket_connection reconnect reconnection | connection retry
user_agent bot_detection crawler | browser header
hateoas hypermedia self_link | rest link
partial_response sparse_field field_selection overfetching over_fetching underfetching | api payload response smaller
long_running async_operation 202 | job poll status
versioned_api api_version v1 v2 | version url header breaking
`
