"""Every decision the sources do not take for us, each with its reason."""

# Zones of the source that overlap: the first is kept, the area is taken from the second.
# Natural Earth ("NE") and the towns of GeoNames were asked where people live.
ZONE_PREFERENCES = [
    ("Asia/Shanghai", "Asia/Urumqi", "Beijing time is the legal time of all of China"),
    ("Asia/Hebron", "Asia/Jerusalem", "West Bank: PS in NE and for 316 of 334 GeoNames towns"),
    ("Africa/Khartoum", "Africa/Juba", "Abyei, Kafia Kingi: Sudan in NE, undecided in law"),
    ("Europe/Belgrade", "Europe/Zagreb", "left bank of the Danube, administered by Serbia"),
    ("Asia/Thimphu", "Asia/Shanghai", "border valleys of Bhutan: Bhutan in NE"),
    ("Asia/Kolkata", "Asia/Kathmandu", "Kalapani, Susta: administered by India"),
    ("America/Punta_Arenas", "America/Argentina/Rio_Gallegos", "ice field without a border"),
    ("Europe/Berlin", "Europe/Luxembourg", "the Moselle condominium: its towns are German"),
    ("Europe/Berlin", "Europe/Amsterdam", "water of the Ems and Dollart, border never agreed"),
    ("America/Moncton", "America/New_York", "Machias Seal Island, staffed by Canada"),
    ("America/Vancouver", "America/Sitka", "water of Dixon Entrance only"),
    ("America/Vancouver", "America/Los_Angeles", "water of the Juan de Fuca Strait only"),
    ("Africa/Ouagadougou", "Africa/Porto-Novo", "Koalou/Kourou: Burkina Faso in NE"),
    ("America/Porto_Velho", "America/La_Paz", "Ilha de Guajara-Mirim: Brazil in NE"),
    ("Europe/Paris", "Europe/Rome", "summit of Mont Blanc: France in NE"),
    ("Europe/Ljubljana", "Europe/Zagreb", "Bay of Piran, award of 2017"),
    ("America/Iqaluit", "America/Toronto", "islands of James Bay belong to Nunavut"),
    ("America/Marigot", "America/Lower_Princes", "Oyster Pond: Saint-Martin in NE"),
    ("Asia/Pyongyang", "Asia/Shanghai", "mouth of the Tumen: North Korea in NE"),
]
# Where both zones claim: the clock of the first with the country of the second.
ZONE_SPLITS = [
    ("Europe/Moscow", "Asia/Tbilisi", "Abkhazia, South Ossetia: GE in ISO, clocks on Moscow time"),
]

# Where simplification would move a border across a town: the border stays as it is around it.
ZONE_DETAIL = [
    (49.14854, 7.08261, "Blies-Guersviller FR, on the Blies"), (45.50055, 14.91448, "Doluš HR, on the Kolpa"),
    (45.52914, 14.69838, "Osilnica SI, on the Kolpa"), (32.14677, 34.98622, "Nirit IL, on the Green Line"),
    (49.65897, 6.43599, "Machtum LU, on the Moselle"),
]  # fmt: skip
ADMIN1_DETAIL = [
    (39.10645, -84.47883, "Bellevue KY, on the Ohio"), (37.76929, -75.60271, "Metompkin VA, on a bay"),
    (41.67475, -90.34041, "Princeton IA, on the Mississippi"),
    (40.63566, -75.19295, "Raubsville PA, on the Delaware"),
    (-35.36667, 149.25283, "Greenleigh NSW, at the border of the ACT"),
    (35.6047, 139.51714, "Yurigaoka, Kanagawa, at the border of Tokyo"),
    (35.5331, 139.4217, "Bunkyo, Sagamihara, at the border of Tokyo"),
]  # fmt: skip

# First-level areas: iso_a2 of the source is wrong or missing and the zones cannot tell.
ADMIN1_LEFT_OUT = {"KR": "the Korean layer", "AQ": "no first level"}

# ISO 3166-2 codes that names alone do not give: outdated, misspelt or doubled in the source.
# None: not what its name resembles.
ADMIN1_CODES = {
    "CHN-1662": "CN-XZ", "IND-3254": "IN-UT", "ITA-5442": "IT-23", "ITA-5459": "IT-BZ",
    "MEX-2727": "MX-CMX", "MEX-2731": "MX-MEX", "RUS-2321": "RU-CHU", "RUS-2365": "RU-MOW",
    "RUS-2399": "RU-ALT", "RUS-2400": "RU-AL", "RUS-2610": "RU-ZAB", "RUS-2612": "RU-SA",
    "RUS-2613": "RU-YEV", "RUS-2615": "RU-MAG", "TWN-1161": "TW-HSZ", "TWN-1162": "TW-HSQ",
    "TWN-1170": "TW-CYI", "THA-416": "TH-10", "TUR-2283": "TR-46", "UKR-321": "UA-32",
    "UKR-4826": "UA-30", "BLR-2345": "BY-MI", "BLR-4825": "BY-HM", "KAZ-3207": "KZ-ALM",
    "KAZ-4829": "KZ-ALA", "PHL-2514": "PH-CEB", "PHL-2529": "PH-ILI", "PHL-2579": "PH-NCO",
    "HRV-1491": "HR-15", "HRV-1586": "HR-08", "HRV-1587": "HR-03", "HRV-1588": "HR-01",
    "HRV-1592": "HR-18", "HRV-1609": "HR-20", "GBR-2006": "GB-NAY", "GBR-2018": "GB-PKN",
}  # fmt: skip
# Names that CLDR 41 lacks for places that many visit.
ADMIN1_NAMES = {
    "ES-MU": {"ko": "무르시아", "ja": "ムルシア"},
    "TH-10": {"en": "Bangkok", "ko": "방콕", "ja": "バンコク"},
    "TW-NWT": {"ko": "신베이 시", "ja": "新北市"},
    "US-DC": {"ko": "워싱턴 D.C.", "ja": "ワシントンD.C."},
}
ADMIN1_NOT_LIKE = {
    "MG": "Atsinanana is not Antsiranana", "CD": "provinces were divided in 2015",
    "GB": "councils of Northern Ireland were merged in 2015", "TD": "Ennedi was divided",
    "NO": "counties were merged in 2018 and 2020", "IN-DH": "union territories merged in 2020",
}  # fmt: skip

# Short everyday names, where CLDR 41's differ (language, name).
COUNTRY_NAMES = {
    "TR": {"ko": "튀르키예", "en": "Türkiye"},  # renamed 2022, after CLDR 41
    "TW": {"ko": "대만"},
    "KP": {"ko": "북한", "en": "North Korea", "ja": "北朝鮮"},
    "KR": {"ko": "대한민국", "en": "South Korea", "ja": "韓国"},
    "HK": {"ko": "홍콩", "en": "Hong Kong", "ja": "香港"},
    "MO": {"ko": "마카오", "en": "Macao", "ja": "マカオ"},
    "PS": {"ko": "팔레스타인", "en": "Palestine", "ja": "パレスチナ"},
    "MM": {"en": "Myanmar", "ja": "ミャンマー"},  # CLDR: "Myanmar (Burma)"
    "CD": {"en": "DR Congo", "ko": "콩고민주공화국", "ja": "コンゴ民主共和国"},
    "CG": {"en": "Republic of the Congo", "ko": "콩고공화국", "ja": "コンゴ共和国"},
    "FK": {"en": "Falkland Islands"},
}
# `name` of a country is its own name where that is short and clear, else the English one.
COUNTRY_LANGUAGE = {
    "AT": "de", "DE": "de", "FR": "fr", "IT": "it", "ES": "es", "PT": "pt", "BR": "pt",
    "JP": "ja", "KR": "ko", "KP": "ko", "CN": "zh", "TW": "zh-Hant", "HK": "zh-Hant",
    "NL": "nl", "PL": "pl", "SE": "sv", "HU": "hu", "GR": "el", "RU": "ru", "UA": "uk",
    "TR": "tr", "VN": "vi", "ID": "id", "MX": "es", "AR": "es", "CL": "es", "CO": "es",
    "PE": "es", "RE": "fr", "GP": "fr", "MQ": "fr", "GF": "fr", "YT": "fr", "MC": "fr",
    "SM": "it", "VA": "it", "LI": "de",
}  # fmt: skip

# Korea: today's units that no rule reaches from the older polygons.
# (old 8-digit code) -> (current 8-digit code, name, reason)
KOREA_UNITS = {
    "41360107": ("41360112", "다산동", "가운동 went wholly into the new 다산동 in 2017"),
    "45113128": ("45113139", "여의동2가", "동산동 was renamed in 2020"),
}
# Old city or county -> city or county it became part of, where its name changed.
KOREA_SUCCESSORS = {
    "28170": ["28177"],  # 인천 남구 -> 미추홀구, 2018
    "41730": ["41670"],  # 여주군 -> 여주시, 2013
    "43710": ["43111", "43112", "43113", "43114"],  # 청원군 -> 청주시, 2014
    "43111": ["43111", "43114"],  # 청주시 상당구, redrawn 2014
    "43113": ["43113", "43112"],  # 청주시 흥덕구, redrawn 2014
    "48121": ["48121", "48123"],  # 창원시 의창구, redrawn 2021
    "45111": ["45111", "45113"],  # 전주시, exchange of 2018
    "44830": ["44270"],  # 당진군 -> 당진시, 2012
    "41195": ["41190"], "41197": ["41190"], "41199": ["41190"],  # 부천시 without gu, 2016
}  # fmt: skip
# Codes after the last table (2022-09): province 42 -> 51 and 45 -> 52, county 47720 -> 27720.
KOREA_PREFIXES = [("42", "51"), ("45", "52"), ("47720", "27720")]
# 부천시 got its three gu back in 2024, with the 동 they had in 2016.
KOREA_BUCHEON = {"41195": "41192", "41197": "41194", "41199": "41196"}

# 시·도: name:en and name:ja for names changed after CLDR 41; ISO codes by 2-digit code.
KOREA_PROVINCES = {
    "11": ("KR-11", "Seoul", "ソウル特別市"), "26": ("KR-26", "Busan", "釜山広域市"),
    "27": ("KR-27", "Daegu", "大邱広域市"), "28": ("KR-28", "Incheon", "仁川広域市"),
    "29": ("KR-29", "Gwangju", "光州広域市"), "30": ("KR-30", "Daejeon", "大田広域市"),
    "31": ("KR-31", "Ulsan", "蔚山広域市"), "36": ("KR-50", "Sejong", "世宗特別自治市"),
    "41": ("KR-41", "Gyeonggi-do", "京畿道"), "43": ("KR-43", "Chungcheongbuk-do", "忠清北道"),
    "44": ("KR-44", "Chungcheongnam-do", "忠清南道"), "46": ("KR-46", "Jeollanam-do", "全羅南道"),
    "47": ("KR-47", "Gyeongsangbuk-do", "慶尚北道"), "48": ("KR-48", "Gyeongsangnam-do", "慶尚南道"),
    "50": ("KR-49", "Jeju-do", "済州特別自治道"), "51": ("KR-42", "Gangwon-do", "江原特別自治道"),
    "52": ("KR-45", "Jeonbuk-do", "全北特別自治道"),
}  # fmt: skip
