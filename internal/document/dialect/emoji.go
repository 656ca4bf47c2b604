package dialect

import (
	"cmp"
	"strings"
)

// emoji are the names between colons of those that documentation has, by the
// short names that GitHub and others share.
var emoji = emojiNames(`
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 100 💯 1st_place_medal 🥇 abacus 🧮 abc 🔤 abcd 🔡 airplane ✈️ alarm_clock ⏰ alien 👽 ambulance 🚑
anchor ⚓ angry 😠 ant 🐜 apple 🍎 arrow_down ⬇️ arrow_forward ▶️ arrow_left ⬅️ arrow_right ➡️ arrow_up ⬆️ arrows_counterclockwise 🔄
art 🎨 astonished 😲 atom_symbol ⚛️ baby 👶 balloon 🎈 ballot_box_with_check ☑️ bank 🏦 bar_chart 📊 battery 🔋 bear 🐻 bee 🐝 beer 🍺 beers 🍻
beetle 🐞 bell 🔔 bike 🚲 bird 🐦 birthday 🎂 black_large_square ⬛ blue_book 📘 blue_heart 💙 blush 😊 boat ⛵ bomb 💣 book 📖 bookmark 🔖
bookmark_tabs 📑 books 📚 boom 💥 bowtie 🤵 brain 🧠 bricks 🧱 bridge_at_night 🌉 briefcase 💼 broken_heart 💔 bug 🐛 building_construction 🏗️
bulb 💡 bus 🚌 cactus 🌵 cake 🍰 calendar 📆 calling 📲 camera 📷 camera_flash 📸 candle 🕯️ car 🚗 card_file_box 🗃️ card_index 📇
card_index_dividers 🗂️ cat 🐱 chains ⛓️ chart_with_downwards_trend 📉 chart_with_upwards_trend 📈 checkered_flag 🏁 cherries 🍒 chess_pawn ♟️
clap 👏 clapper 🎬 clipboard 📋 clock1 🕐 closed_book 📕 closed_lock_with_key 🔐 cloud ☁️ coffee ☕ comet ☄️ compass 🧭 computer 💻
confetti_ball 🎊 confused 😕 construction 🚧 construction_worker 👷 cookie 🍪 cool 🆒 copyright ©️ crossed_fingers 🤞 crown 👑 cry 😢 crystal_ball 🔮
dart 🎯 dash 💨 date 📅 desktop_computer 🖥️ dizzy 💫 dna 🧬 dog 🐶 dollar 💵 dolphin 🐬 door 🚪 dragon 🐉 droplet 💧 earth_africa 🌍
earth_americas 🌎 earth_asia 🌏 electric_plug 🔌 elephant 🐘 email 📧 envelope ✉️ evergreen_tree 🌲 exclamation ❗ exploding_head 🤯 eye 👁️ eyes 👀
face_with_monocle 🧐 factory 🏭 fast_forward ⏩ feather 🪶 file_cabinet 🗄️ file_folder 📁 fire 🔥 fire_extinguisher 🧯 fireworks 🎆 fish 🐟
flashlight 🔦 floppy_disk 💾 flushed 😳 fox_face 🦊 frog 🐸 fuelpump ⛽ game_die 🎲 gear ⚙️ gem 💎 ghost 👻 gift 🎁 globe_with_meridians 🌐
green_apple 🍏 green_book 📗 green_circle 🟢 green_heart 💚 grey_exclamation ❕ grey_question ❔ grimacing 😬 grin 😁 grinning 😀 guitar 🎸 hammer 🔨
hammer_and_pick ⚒️ hammer_and_wrench 🛠️ hand 👋 handshake 🤝 hash #️⃣ heart ❤️ heart_eyes 😍 heartbeat 💓 heavy_check_mark ✔️ heavy_dollar_sign 💲
heavy_exclamation_mark ❗ heavy_minus_sign ➖ heavy_multiplication_x ✖️ heavy_plus_sign ➕ hourglass ⌛ hourglass_flowing_sand ⏳ house 🏠 hugs 🤗
inbox_tray 📥 incoming_envelope 📨 information_source ℹ️ innocent 😇 interrobang ⁉️ iphone 📱 joy 😂 joystick 🕹️ key 🔑 keyboard ⌨️ kissing_heart 😘
label 🏷️ ladder 🪜 large_blue_circle 🔵 large_blue_diamond 🔷 large_orange_diamond 🔶 laughing 😆 leaves 🍃 ledger 📒 left_right_arrow ↔️ lemon 🍋
link 🔗 linked_paperclips 🖇️ lock 🔒 lock_with_ink_pen 🔏 loop ➿ loud_sound 🔊 loudspeaker 📢 mag 🔍 mag_right 🔎 magnet 🧲 mailbox 📫
man_raising_hand 🙋‍♂️ mask 😷 medal_sports 🏅 mega 📣 memo 📝 microphone 🎤 microscope 🔬 money_with_wings 💸 moneybag 💰 monkey 🐒 moon 🌔
mortar_board 🎓 mountain ⛰️ movie_camera 🎥 muscle 💪 musical_note 🎵 mute 🔇 necktie 👔 new 🆕 newspaper 📰 no_entry ⛔ no_entry_sign 🚫
notebook 📓 notebook_with_decorative_cover 📔 notes 🎶 nut_and_bolt 🔩 o ⭕ octopus 🐙 ok 🆗 ok_hand 👌 old_key 🗝️ open_book 📖 open_file_folder 📂
open_hands 👐 orange_book 📙 orange_circle 🟠 outbox_tray 📤 owl 🦉 package 📦 page_facing_up 📄 page_with_curl 📃 paintbrush 🖌️ palm_tree 🌴
panda_face 🐼 paperclip 📎 partying_face 🥳 pencil 📝 pencil2 ✏️ penguin 🐧 pensive 😔 people_holding_hands 🧑‍🤝‍🧑 performing_arts 🎭 petri_dish 🧫 phone ☎️
pick ⛏️ pill 💊 pineapple 🍍 pizza 🍕 point_down 👇 point_left 👈 point_right 👉 point_up ☝️ point_up_2 👆 poop 💩 postbox 📮 pray 🙏 printer 🖨️
purple_circle 🟣 purple_heart 💜 pushpin 📌 puzzle_piece 🧩 question ❓ rabbit 🐰 rage 😡 rainbow 🌈 raised_hand ✋ raised_hands 🙌 raising_hand 🙋
receipt 🧾 recycle ♻️ red_circle 🔴 registered ®️ relaxed ☺️ repeat 🔁 rewind ⏪ robot 🤖 rocket 🚀 rofl 🤣 roll_eyes 🙄 rose 🌹 rotating_light 🚨
round_pushpin 📍 running 🏃 satellite 📡 sauropod 🦕 school 🏫 scissors ✂️ scream 😱 scroll 📜 secret ㊙️ see_no_evil 🙈 seedling 🌱 shield 🛡️ ship 🚢
shrug 🤷 skull 💀 sleeping 😴 slightly_smiling_face 🙂 smile 😄 smiley 😃 smirk 😏 snail 🐌 snake 🐍 snowflake ❄️ sob 😭 soccer ⚽ sos 🆘
spaghetti 🍝 sparkle ❇️ sparkles ✨ sparkling_heart 💖 speaker 🔈 speech_balloon 💬 star ⭐ star2 🌟 star_struck 🤩 stethoscope 🩺 stop_sign 🛑
stopwatch ⏱️ straight_ruler 📏 stuck_out_tongue 😛 sunglasses 😎 sunny ☀️ sunrise 🌅 sweat_drops 💦 sweat_smile 😅 tada 🎉 technologist 🧑‍💻 telephone ☎️
telescope 🔭 tent ⛺ test_tube 🧪 thermometer 🌡️ thinking 🤔 thought_balloon 💭 thread 🧵 timer_clock ⏲️ tm ™️ toolbox 🧰 tooth 🦷 tophat 🎩
tractor 🚜 traffic_light 🚥 train 🚋 trash 🗑️ triangular_flag_on_post 🚩 triangular_ruler 📐 trophy 🏆 truck 🚚 tulip 🌷 turtle 🐢 tv 📺
twisted_rightwards_arrows 🔀 umbrella ☔ unamused 😒 unicorn 🦄 unlock 🔓 up 🆙 upside_down_face 🙃 v ✌️ vertical_traffic_light 🚦 video_camera 📹
video_game 🎮 vs 🆚 walking 🚶 warning ⚠️ wastebasket 🗑️ watch ⌚ wave 👋 wheelchair ♿ whale 🐳 whale2 🐋 white_check_mark ✅ white_circle ⚪
white_large_square ⬜ wind_face 🌬️ wink 😉 wolf 🐺 woman_raising_hand 🙋‍♀️ world_map 🗺️ wrench 🔧 writing_hand ✍️ x ❌ yellow_circle 🟡 yellow_heart 💛
yum 😋 zap ⚡ zipper_mouth_face 🤐 zzz 💤`)

// Emoji returns what a name between colons stands for, itself where there is no such.
func Emoji(name string) string { return cmp.Or(emoji[strings.Trim(name, ":")], name) }

// emojiNames reads names and what they stand for.
func emojiNames(list string) map[string]string {
	words := strings.Fields(list)
	names := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		names[words[i]] = words[i+1]
	}
	return names
}
