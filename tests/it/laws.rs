//! The laws that every answer obeys, on random pairs.

use std::process::Output;

use serde_json::Value;

use crate::generate::{Random, as_pairs, as_records, every, single_bytes, slices, some_pairs, some_reference, string};
use crate::harness::absurl;
use crate::oracle;
use crate::resolve::{BASE, NAMES, assert_as_oracle, code, complaint, exact, inherited_names, json, name_components};

#[test]
fn law_1_as_many_records_come_out_as_went_in_and_in_their_order() {
    // With failures in between: without base, with an unsuitable one, and with both and worse as pairs.
    let mut random = Random(1);
    let references: Vec<_> = (0..2000).map(|_| some_reference(&mut random, b"\r\n\0")).collect();
    let all = some_pairs(2, 2000, b"\r\n\0");
    for base in [None, Some(""), Some("mailto:x"), Some(BASE)] {
        for (null, end) in [(&[][..], b'\n'), (&["-0"], b'\0')] {
            let arguments = [null, base.map_or(vec![], |base| vec!["-b", base]).as_slice()].concat();
            let run = absurl(&arguments).input(as_records(&references, end)).output();
            let base = base.unwrap_or("").as_bytes();
            assert_as_oracle(references.iter().map(|reference| (base, &reference[..])), &run, end);
            assert_each_failure_has_its_message(references.iter().map(|reference| (base, &reference[..])), &run);
        }
    }
    for (arguments, end) in [(&["--pairs"][..], b'\n'), (&["--pairs", "-0"], b'\0')] {
        let run = absurl(arguments).input(as_pairs(&all, end)).output();
        assert_as_oracle(slices(&all), &run, end);
        assert_each_failure_has_its_message(slices(&all), &run);
    }
}

/// Asserts that standard error has lines for pairs that fail, in their order, each with the record, and that the lines
/// at its end count the others.
fn assert_each_failure_has_its_message<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>, run: &Output) {
    let said = String::from_utf8(run.stderr.clone()).expect("messages are UTF-8");
    let failed = pairs.enumerate().filter(|(_, (base, reference))| oracle::resolve(base, reference).is_err());
    let failed: Vec<_> = failed.map(|(index, _)| index + 1).collect();
    let mut last = 0;
    let mut count = 0;
    for line in said.lines().filter(|line| !line.starts_with("absurl: --base: \"\" is empty")) {
        let rest = line.strip_prefix("absurl: -:").expect("a message about standard input");
        if let Some(more) = rest.strip_prefix(' ') {
            count += more.split(' ').next().and_then(|more| more.parse::<usize>().ok()).expect("a number");
            continue;
        }
        let number = rest.split(':').next().and_then(|number| number.parse().ok()).expect("a record");
        assert!(failed.contains(&number) && number > last, "{line}");
        last = number;
        count += 1;
    }
    assert_eq!(count, failed.len());
}

#[test]
fn law_1_counts_empty_records_and_one_without_its_end() {
    let run = |arguments: &[&str], input: &[u8]| absurl(arguments).input(input.to_vec()).output().stdout;
    assert_eq!(run(&["-b", "x:/a"], b""), b"");
    assert_eq!(run(&["-b", "x:/a"], b"\n"), b"x:/a\n");
    assert_eq!(run(&["-b", "x:/a"], b"g"), b"x:/g\n");
    assert_eq!(run(&["-b", "x:/a"], b"\n\r\ng\n\n\nh"), b"x:/a\nx:/a\nx:/g\nx:/a\nx:/a\nx:/h\n");
    assert_eq!(run(&["-b", "x:/a", "-0"], b"\0"), b"x:/a\0");
    assert_eq!(run(&["-b", "x:/a", "-0"], b"g\0\0\0h"), b"x:/g\0x:/a\0x:/a\0x:/h\0");
}

#[test]
fn law_1_holds_in_json() {
    let pairs = some_pairs(3, 5000, b"\0");
    for (index, ((base, reference), object)) in pairs.iter().zip(json(&[], &pairs)).enumerate() {
        assert_eq!(object["source"], "-", "{object}");
        assert_eq!(object["record"], index + 1, "{object}");
        assert_eq!(exact(&object, "reference").as_ref(), Some(reference), "{object}");
        assert_eq!(exact(&object, "base").unwrap_or_default(), *base, "{object}");
        match oracle::resolve(base, reference) {
            Ok(answer) => assert_eq!(exact(&object, "url"), Some(answer.url), "{object}"),
            Err(failure) => assert_eq!(object["error"]["code"], code(&failure), "{object}"),
        }
    }
}

#[test]
fn law_2_parsing_a_result_gives_back_what_was_recombined() {
    let mut pairs = some_pairs(4, 20_000, b"\0");
    for base in ["http://a", "x:/a", "file:///b;p?q#f", "g:b"] {
        pairs.extend(every(&single_bytes(b":/?#;.g"), 4).map(|reference| (base.into(), reference)));
    }
    for ((base, reference), object) in pairs.iter().zip(json(&[], &pairs)) {
        if oracle::resolve(base, reference).is_err() {
            continue;
        }
        let url = exact(&object, "url").unwrap_or_else(|| panic!("no url: {object}"));
        let components = name_components(&oracle::parse(&url));
        assert_eq!(object["components"], components, "{object}");

        // What was recombined: the inherited ones from the base, the others from the reference. Only the path that
        // step 6 merges is neither's, and a path may have gained the `/` of reading 5 or the `/.` of reading 6.
        let (base, reference) = (name_components(&oracle::parse(base)), name_components(&oracle::parse(reference)));
        let inherited = inherited_names(&object);
        for name in NAMES {
            let origin = if inherited.contains(&name) { &base } else { &reference };
            if name != "path" {
                assert_eq!(components[name], origin[name], "{name} of {object}");
            } else if object["step"] != "6" {
                let [path, origin] = [&components, origin].map(|of| of[name].as_str().expect("a path is a string"));
                let gained = path.strip_suffix(origin);
                assert!(gained.is_some_and(|gained| ["", "/", "/."].contains(&gained)), "path of {object}");
            }
        }
    }
}

#[test]
fn law_3_a_reference_with_a_scheme_comes_back_as_it_went_in() {
    let mut random = Random(5);
    let references: Vec<_> = (0..20_000)
        .map(|_| {
            [random.pick(&["g:", "http:", "HTTP://", "1+.-:", "mailto:"]).as_bytes(), &string(&mut random, 40, b"\0")]
                .concat()
        })
        .collect();
    let input = as_records(&references, b'\0');
    for base in ["", BASE, "g:", "mailto:x", "x://"] {
        let run = absurl(&["-0", "-b", base]).input(input.clone()).output();
        assert!(run.stdout == input, "base {base}: {}", complaint(&run));
        assert_eq!(run.status.code(), Some(0), "base {base}: {}", complaint(&run));
    }
}

#[test]
fn law_4_what_is_inherited_is_a_prefix_of_the_six_components() {
    let mut pairs = some_pairs(6, 20_000, b"\0");
    pairs.extend(every(&single_bytes(b":/?#;.g"), 4).map(|reference| (BASE.into(), reference)));
    for ((base, reference), object) in pairs.iter().zip(json(&[], &pairs)) {
        let Ok(answer) = oracle::resolve(base, reference) else { continue };
        let inherited = inherited_names(&object);
        assert!(NAMES.starts_with(&inherited), "{object}");
        assert_eq!(inherited, answer.inherited, "{object}");
    }
}

/// Law 5, on random pairs and on every reference of so many bytes.
fn removals_are_those_of_the_literal_rewriting(longest: u32) {
    let mut pairs = some_pairs(7, 3_000, b"\0");
    for base in [BASE, "urn:a/b", "http://a//x/../y"] {
        pairs.extend(every(&single_bytes(b"./g"), longest).map(|reference| (base.into(), reference)));
    }
    for ((base, reference), object) in pairs.iter().zip(json(&["--explain"], &pairs)) {
        let Ok(answer) = oracle::resolve(base, reference) else { continue };
        let expected: Vec<_> = answer
            .removals
            .iter()
            .map(|(operation, removed)| (format!("6{operation}"), String::from_utf8_lossy(removed).into_owned()))
            .collect();
        let removal = |item: &Value| Some((item["step"].as_str()?.to_string(), item["removed"].as_str()?.to_string()));
        let steps = object["steps"].as_array().unwrap_or_else(|| panic!("no steps: {object}"));
        assert_eq!(steps.iter().filter_map(removal).collect::<Vec<_>>(), expected, "{object}");
        assert_eq!(exact(&object, "url"), Some(answer.url), "{object}");
    }
}

#[test]
fn law_5_an_explanation_lists_what_the_literal_rewriting_of_step_6_removes() {
    removals_are_those_of_the_literal_rewriting(6);
}

#[test]
#[ignore = "40,000 explanations: 2 seconds"]
fn law_5_holds_for_longer_references() {
    removals_are_those_of_the_literal_rewriting(8);
}

#[test]
fn an_object_with_steps_is_the_one_without_and_its_steps() {
    // the second one is written by parts that all objects of a base have in common
    let mut random = Random(4);
    let references: Vec<_> = (0..3000).map(|_| some_reference(&mut random, b"\r\n")).collect();
    let shape = |run: Vec<u8>| -> Vec<String> {
        let lines = run.split(|&byte| byte == b'\n').map(|line| String::from_utf8(line.to_vec()).expect("UTF-8"));
        lines
            .map(|line| match line.split_once(",\"steps\":[") {
                Some((before, steps)) => {
                    // what follows the steps is the exact bytes of what is not UTF-8
                    let after = steps.rfind("}]").map_or("}", |end| &steps[end + 2..]);
                    format!("{before}{after}")
                }
                None => line,
            })
            .collect()
    };
    for base in [BASE, "http://u:@h:1/b?\"#\\", "http://a", "s:b/c", "s:/b//c", "http:///b", "x://é/"] {
        let run = |arguments: &[&str]| {
            shape(absurl(&[arguments, &["-b", base]].concat()).input(as_records(&references, b'\n')).bytes().0)
        };
        assert_eq!(run(&["--json"]), run(&["--json", "--explain"]));
    }
    let all = some_pairs(5, 3000, b"\r\n");
    let run = |arguments: &[&str]| shape(absurl(arguments).input(as_pairs(&all, b'\n')).bytes().0);
    assert_eq!(run(&["--json", "-p"]), run(&["--json", "--explain", "-p"]));
}
