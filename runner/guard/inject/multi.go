package inject

// Overrides in other languages. The words are written as they are read by people and
// folded as the text will be: without accents, look-alikes as Latin letters. A capital
// stands beside a small letter where the two fold to different ones.

// foreignOverrides returns the pattern of each language.
func foreignOverrides() []pattern {
	var patterns []pattern
	for _, l := range []lexicon{spanish(), french(), german(), italian(), portuguese()} {
		patterns = append(patterns, foldLexicon(l).compile()...)
	}
	for _, l := range []lexicon{russian(), chinese(), japanese(), korean()} {
		l = foldLexicon(l)
		for _, phrase := range l.phrases {
			patterns = append(patterns, newPattern(expand(phrase, l.words, `[ ,:;"'()-]{0,3}`)))
		}
	}
	return patterns
}

// foldLexicon writes a lexicon in the letters of normalised text.
func foldLexicon(l lexicon) lexicon {
	folded := lexicon{words: classes{}}
	for name, words := range l.words {
		folded.words[name] = fold(words)
	}
	for _, phrase := range l.phrases {
		folded.phrases = append(folded.phrases, fold(phrase))
	}
	return folded
}

func spanish() lexicon {
	return lexicon{classes{
		"verb": `ignor(?:a|e|ad|en|ar|es)|olvid(?:a|e|ad|en|ar|es)(?:te)?(?: de)?|descart(?:a|e|ad|ar)|omit(?:e|a|ir)|desobede(?:ce|zca|cer)|` +
			`haz caso omiso (?:de|a)|hacer caso omiso de|pasa por alto|no (?:sigas|siga|obedezcas|hagas caso (?:a|de))`,
		"all":    `tod(?:as|os|o)|cualquier|las|los|el|la|tus|sus|mis|estas|esas|l[ao]s`,
		"before": `anterior(?:es)?|previ[ao]s?|precedentes?|de arriba|originales|iniciales|del sistema|que (?:te|se te|has|recibiste)`,
		"object": `instruccion(?:es)?|ordenes|indicacion(?:es)?|directrices|directivas|reglas|normas|restricciones|comandos|mensajes|limitaciones`,
	}, []string{
		`{verb} (?:{all} ){0,3}{object} (?:{before})`,
		`{verb} (?:{all} ){0,2}(?:tod[ao]s|tus|sus|anteriores|previas) (?:{all} |{before} ){0,2}{object}`,
		`{verb} (?:todo )?lo (?:anterior|que (?:te|se te) (?:dij|ha|pid|indic)\w*)`,
	}}
}

func french() lexicon {
	return lexicon{classes{
		"verb": `ignor(?:e|es|ez|er|ons)|oubli(?:e|es|ez|er)|neglig(?:e|ez|er)|ne (?:tiens|tenez|tenir) (?:pas|plus|aucun) compte (?:de|des)|` +
			`(?:fais|faites|faire) abstraction (?:de|des)|ne (?:suis|suivez|respecte|respectez) (?:pas|plus)|desobei(?:s|ssez) a|contourn(?:e|ez)`,
		"all":    `tout(?:es)?|tous|les|le|la|tes|vos|ces|mes|des|de|l'ensemble des`,
		"before": `precedente?s?|anterieure?s?|ci-dessus|d'avant|initiales?|d'origine|du systeme|systeme|recues|que (?:tu|vous|l'on|je)`,
		"object": `instructions?|consignes?|directives?|ordres?|regles|commandes|messages?|restrictions|contraintes`,
	}, []string{
		`{verb} (?:{all} ){0,3}{object} (?:{before})`,
		`{verb} (?:{all} ){0,2}(?:toutes|tous|tes|vos) (?:{all} |{before} ){0,2}{object}`,
		`{verb} (?:tout )?ce qui (?:precede|a ete dit)`,
	}}
}

func german() lexicon {
	return lexicon{classes{
		"verb": `ignorier(?:e|en|t)(?: sie)?|vergiss|vergesst|vergessen sie|missacht(?:e|en|et)(?: sie)?|uberge(?:h|he|hen|ht)(?: sie)?|` +
			`umge(?:h|he|hen)(?: sie)?|verwirf|verwerfen sie|setz(?:e|en)? dich uber|befolge nicht|beachte nicht`,
		"all":    `alle[rns]?|die|deine[rn]?|ihre[rn]?|meine|diese[rn]?|samtliche[rn]?|jegliche|bitte|der|den|von`,
		"before": `vorherige[rn]?|bisherige[rn]?|fruhere[rn]?|vorangegangene[rn]?|vorige[rn]?|obige[rn]?|ursprungliche[rn]?|vorangehende[rn]?|zuvor gegebenen|oben genannten|systemseitigen`,
		"object": `anweisung(?:en)?|instruktion(?:en)?|befehle?|regeln|vorgaben|richtlinien|anordnungen|weisungen|einschrankungen|systemanweisungen|prompts?|beschrankungen`,
	}, []string{
		`{verb} (?:{all} ){0,3}{before} (?:{before} |und ){0,2}{object}`,
		`{verb} (?:{all} ){0,2}(?:alle|deine|ihre|samtliche|jegliche) (?:{all} |{before} ){0,2}{object}`,
		`{verb} (?:{all} ){0,2}{object} (?:von )?(?:oben|zuvor|vorher|bisher|davor)`,
		`{verb} alles(?: was|,? was)? (?:<4> )?(?:zuvor|vorher|bisher|gesagt|oben)`,
		`(?:befolge|beachte|befolgen sie|beachten sie) (?:{all} ){0,2}(?:{before} )?{object} nicht`,
	}}
}

func italian() lexicon {
	return lexicon{classes{
		"verb": `ignor(?:a|ate|i|are|ino)|dimentic(?:a|ate|hi|are)|trascur(?:a|ate|i|are)|disattend(?:i|ete)|scart(?:a|ate)|tralasci(?:a|ate)|` +
			`non (?:seguire|seguite|considerare|rispettare|tenere conto (?:di|delle|dei))|disobbedisci a`,
		"all":    `tutt[ei]|qualsiasi|le|i|gli|la|tue|tuoi|vostre|sue|queste|quelle|delle|dei|di`,
		"before": `precedent[ei]|anterior[ei]|di (?:cui )?sopra|iniziali|originali|di sistema|del sistema|che (?:ti|hai|avete)`,
		"object": `istruzion[ei]|ordini|indicazion[ei]|direttive|regole|comandi|messaggi|restrizioni|vincoli|linee guida`,
	}, []string{
		`{verb} (?:{all} ){0,3}{object} (?:{before})`,
		`{verb} (?:{all} ){0,2}(?:tutt[ei]|tue|tuoi|precedenti) (?:{all} |{before} ){0,2}{object}`,
		`{verb} (?:tutto )?(?:quello|cio|quanto) (?:che )?<2> (?:detto|precede|scritto|sopra)`,
	}}
}

func portuguese() lexicon {
	return lexicon{classes{
		"verb": `ignor(?:e|a|em|ar|es)|esque(?:ca|ce|cam|cer)(?: de)?|desconsider(?:e|a|em|ar)|descart(?:e|a|ar)|desobede(?:ca|ce)(?: a)?|` +
			`nao (?:siga|sigas|obedeca|cumpra|leve em conta)|omita|ultrapasse`,
		"all":    `tod[ao]s?|quaisquer|qualquer|as|os|a|o|suas|seus|tuas|teus|estas|essas|minhas`,
		"before": `anterior(?:es)?|previ[ao]s|precedentes|acima|iniciais|originais|do sistema|que (?:voce|te|lhe|recebeu)`,
		"object": `instru(?:c|)(?:oes|ao)|ordens|orientacoes|diretrizes|diretivas|regras|restricoes|comandos|mensagens|limitacoes`,
	}, []string{
		`{verb} (?:{all} ){0,3}{object} (?:{before})`,
		`{verb} (?:{all} ){0,2}(?:tod[ao]s|suas|seus|tuas|anteriores) (?:{all} |{before} ){0,2}{object}`,
		`{verb} tudo (?:o )?que <3> (?:disse|dito|antes|acima|instruido)`,
	}}
}

func russian() lexicon {
	return lexicon{classes{
		"verb": `(?:про)?игнорир(?:уй|уйте|овать)|забуд(?:ь|ьте)|отбрось(?:те)?|отмени(?:те)?|[пП]ренебреги(?:те)?|[нН]арушь(?:те)?|` +
			`[нН]е (?:следуй|следуйте|выполняй|выполняйте|соблюдай|соблюдайте|обращай внимания [нН]а|обращайте внимания [нН]а|слушай)`,
		"all": `всем?|всех|эти|этим|свои|своим|твои|твоим|ваши|вашим|любые|любым|системные|системным|о|об|про|` +
			`предыдущи[ехм]м?и?|прежни[ехм]м?и?|прошлы[ехм]м?и?|вышеуказанны[ехм]м?и?|ранее данны[ехм]м?и?|ранние|исходны[ехм]м?и?|первоначальны[ехм]м?и?|данны[ехм]м?и?`,
		"object": `инструкци|указани|правил|команд|приказ|ограничени|распоряжени|директив|предписани|запрос`,
	}, []string{
		`{verb} (?:{all} ){1,4}{object}`,
		`{verb} вс[её],? что (?:тебе |вам |было |я |мы |ты ){0,3}(?:сказа|[нН]аписа|дан|говори|выше|ранее)`,
	}}
}

func chinese() lexicon {
	return lexicon{classes{
		"verb":   `忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|抛开|拋開|抛弃|跳过|跳過|绕过|繞過|违反|違反|不要(?:再)?(?:遵守|理会|理會|遵循|听从|聽從|执行|執行|考虑)|不用(?:再)?(?:遵守|理会|管)|不必(?:遵守|理会)`,
		"which":  `之前|以前|先前|此前|前面|前述|上述|以上|上面|上文|原来|原來|原有|原本|最初|所有|全部|一切|任何|你的|您的|系统|系統|给你|給你|你收到|既有`,
		"object": `指令|指示|命令|规则|規則|提示|要求|说明|說明|设定|設定|限制|约束|約束|规定|規定|准则|準則|指引|內容|内容|对话|對話`,
	}, []string{
		`{verb}[^.!?,;。，；]{0,6}(?:{which})[^.!?,;。，；]{0,10}(?:{object})`,
		`(?:把|将|將|对|對)[^.!?,;。，；]{0,4}(?:{which})[^.!?,;。，；]{0,10}(?:{object})[^.!?,;。，；]{0,6}{verb}`,
	}}
}

func japanese() lexicon {
	return lexicon{classes{
		"which":  `以前|これまで|今まで|いままで|先ほど|さきほど|前の|上記|上の|前述|すべて|全て|全部|全ての|あらゆる|あなたの|元の|最初の|システム|与えられた`,
		"object": `指示|命令|ルール|規則|プロンプト|制約|設定|制限|ガイドライン|指令|インストラクション|説明|文章|会話|内容`,
		"verb":   `無視|忘れ|破棄|無効|取り消|従わない|従うな|従わず|守らない|守らなくて`,
	}, []string{
		`(?:{which})[^.!?。、]{0,12}(?:{object})[^.!?。]{0,8}(?:{verb})`,
	}}
}

func korean() lexicon {
	return lexicon{classes{
		"which":  `이전|앞선|앞의|위의|지금까지|기존|모든|너의|당신의|네|시스템|원래|처음|상기`,
		"object": `지시|명령|규칙|프롬프트|지침|제한|설정|제약|가이드라인|안내|내용|대화`,
		"verb":   `무시|잊|따르지|무효|지키지|버려`,
	}, []string{
		`(?:{which})[^.!?,]{0,12}(?:{object})[^.!?,]{0,10}(?:{verb})`,
	}}
}
