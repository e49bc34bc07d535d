//! Bodies of render requests.

use crate::common::{self, text_with_styles, with_overlay};
use rondo_composition::{
    AlsoOutput, Ducking, Error, Film, Finish, Limits, Output, OutputFormat, OutputQuality, Overrides,
    ProblemKind, RenderRequest, VideoCodec, read_composition_or_request,
};
use serde_json::{Value, json};

fn read(body: &Value) -> RenderRequest {
    RenderRequest::read(body, Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(body: &Value) -> Error {
    RenderRequest::read(body, Limits::default()).unwrap_err()
}

#[test]
fn exactly_one_film_is_named_and_null_names_none() {
    let film = text_with_styles(json!({}));
    let direct = read(&json!({"inputProps": film, "templateId": null}));
    assert!(matches!(direct.film, Film::Direct(_)));
    assert_eq!(read(&json!({"templateId": "tpl_1"})).film, Film::Template("tpl_1".to_owned()));
    assert_eq!(read(&json!({"projectId": "prj_1"})).film, Film::Project("prj_1".to_owned()));

    let none = refused(&json!({"width": 100}));
    assert_eq!(none.reason(), "INVALID_REQUEST");
    assert_eq!(none.to_string(), "The input must have exactly one of inputProps, templateId and projectId.");
    let two = refused(&json!({"inputProps": film, "projectId": "prj_1"}));
    assert!(two.to_string().contains("got inputProps and projectId"), "{two}");
}

#[test]
fn top_level_values_win_over_those_of_the_film() {
    let mut film = text_with_styles(json!({}));
    film["width"] = json!(640);
    film["fps"] = json!(24);
    let request = read(&json!({"inputProps": film, "width": 1280, "durationInFrames": 12}));
    let Film::Direct(composition) = request.film else { panic!("a direct film was expected") };
    assert_eq!(
        (composition.width, composition.height, composition.fps, composition.duration),
        (1280, 1080, 24, 12)
    );
}

#[test]
fn overrides_are_checked_together_with_the_film_they_change() {
    let mut film = common::read(&json!({"overlays": [], "durationInFrames": 30, "height": 4000})).composition;
    let overrides = Overrides { width: Some(4096), ..Default::default() };
    let error = overrides.apply(&mut film, Limits::default()).unwrap_err();
    assert_eq!(error.reason(), "VALUE_OUT_OF_RANGE");

    let out_of_range = refused(&json!({"templateId": "t", "width": 5000, "fps": "fast"}));
    let paths: Vec<&str> = out_of_range.problems().iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["width", "fps"]);
}

#[test]
fn problems_inside_the_film_carry_the_whole_path() {
    let error = refused(&json!({"inputProps": text_with_styles(json!({"opacity": []}))}));
    assert_eq!(error.problems()[0].path, "inputProps.overlays[0].styles.opacity");
}

#[test]
fn unknown_top_level_keys_become_replacements_and_explicit_ones_win() {
    let request = read(&json!({
        "templateId": "tpl_1",
        "replacements": {"headline": "explicit", "gone": null},
        "headline": "flat",
        "price": 12,
        "nothing": null,
        "createProject": false,
        "projectName": "Spring",
        "webhookUrl": "https://example.com/hook",
        "confirmAiCost": true,
    }));
    assert_eq!(Value::Object(request.replacements), json!({"headline": "explicit", "price": 12}));
    assert_eq!(request.options.create_project, Some(false));
    assert_eq!(request.options.project_name.as_deref(), Some("Spring"));
    assert!(request.options.confirm_ai_cost);
}

#[test]
fn additive_fields_with_another_shape_are_replacements() {
    let request = read(&json!({
        "templateId": "t", "audio": "https://example.com/a.mp3", "output": {"format": "webm"}, "draft": "x",
    }));
    assert_eq!(
        Value::Object(request.replacements),
        json!({"audio": "https://example.com/a.mp3", "draft": "x"})
    );
    assert_eq!(request.finish, Finish::default());
    assert_eq!(request.output.unwrap().write(), json!({"format": "webm"}));
}

#[test]
fn audio_tells_how_the_sound_is_finished_and_reads_as_it_was_written() {
    let finish = |audio: Value| read(&json!({"templateId": "t", "audio": audio})).finish;
    let usual = Ducking { amount: 12.0, attack: 150.0, release: 400.0, narration: None };
    let ducking = |ducking| Finish { loudness: None, ducking };
    assert_eq!(finish(json!({"loudness": -14})), Finish { loudness: Some(-14.0), ducking: None });
    assert_eq!(finish(json!({"ducking": true, "loudness": null})), ducking(Some(usual.clone())));
    assert_eq!(finish(json!({"ducking": false})), ducking(None));
    let all =
        finish(json!({"ducking": {"amount": 6, "attack": 10, "release": 99.5, "narration": ["Voice"]}}));
    let narration = Some(vec!["Voice".to_owned()]);
    assert_eq!(all, ducking(Some(Ducking { amount: 6.0, attack: 10.0, release: 99.5, narration })));
    for finish in [all, ducking(Some(usual)), Finish::default()] {
        assert_eq!(Finish::read(&finish.write()).unwrap(), finish);
    }
}

#[test]
fn audio_that_cannot_be_is_refused_with_its_path() {
    use ProblemKind::{OutOfRange, WrongType};
    for (audio, path, kind) in [
        (json!({"loudness": -7.9}), "audio.loudness", OutOfRange),
        (json!({"loudness": "-14"}), "audio.loudness", WrongType),
        (json!({"ducking": 12}), "audio.ducking", WrongType),
        (json!({"ducking": {"amount": 41}}), "audio.ducking.amount", OutOfRange),
        (json!({"ducking": {"attack": 0}}), "audio.ducking.attack", OutOfRange),
        (json!({"ducking": {"release": true}}), "audio.ducking.release", WrongType),
        (json!({"ducking": {"narration": "Voice"}}), "audio.ducking.narration", WrongType),
        (json!({"ducking": {"narration": ["Voice", 1]}}), "audio.ducking.narration[1]", WrongType),
    ] {
        let error = refused(&json!({"templateId": "t", "audio": audio}));
        let found: Vec<_> = error.problems().iter().map(|p| (p.path.as_str(), p.kind)).collect();
        assert_eq!(found, [(path, kind)]);
    }
}

#[test]
fn output_reads_as_it_was_written() {
    let given = json!({"format": "webm", "codec": "av1", "quality": "high", "alpha": false, "frame": null,
        "range": [10, 20.0], "scale": 0.5, "colour": 1, "destination": "films",
        "also": [{"format": "gif", "scale": 0.25}, {"format": "png", "frame": 3, "also": []}]});
    let request = read(&json!({"templateId": "t", "output": given}));
    assert_eq!(request.remarks.unknown_fields, ["output.also[1].also", "output.colour"]);
    let output = request.output.unwrap();
    let expected = Output {
        format: Some(OutputFormat::WebM),
        codec: Some(VideoCodec::Av1),
        quality: Some(OutputQuality::High),
        alpha: Some(false),
        frame: None,
        range: Some((10, 20)),
        scale: Some(0.5),
        also: Some(vec![
            AlsoOutput { format: Some(OutputFormat::Gif), scale: Some(0.25), ..AlsoOutput::default() },
            AlsoOutput { format: Some(OutputFormat::Png), frame: Some(3), ..AlsoOutput::default() },
        ]),
        destination: Some("films".to_owned()),
    };
    assert_eq!(output, expected);
    assert_eq!(Output::read(&output.write()).unwrap(), output);
    let files = output.files();
    assert_eq!(files[0], Output { also: None, destination: None, ..expected });
    assert_eq!(files[2].write(), json!({"format": "png", "frame": 3}));
}

#[test]
fn output_that_cannot_be_is_refused_with_its_path() {
    use ProblemKind::{InvalidEnumValue, OutOfRange, WrongType};
    for (output, path, kind) in [
        (json!({"format": "avi"}), "output.format", InvalidEnumValue),
        (json!({"format": 4}), "output.format", WrongType),
        (json!({"codec": "x"}), "output.codec", InvalidEnumValue),
        (json!({"quality": "x"}), "output.quality", InvalidEnumValue),
        (json!({"alpha": "yes"}), "output.alpha", WrongType),
        (json!({"also": {}}), "output.also", WrongType),
        (json!({"also": [{}, {}, {}, {}, {}]}), "output.also", OutOfRange),
        (json!({"also": [{}, {"format": "avi"}]}), "output.also[1].format", InvalidEnumValue),
        (json!({"also": [4]}), "output.also[0]", WrongType),
        (json!({"frame": -3}), "output.frame", OutOfRange),
        (json!({"frame": 0.5}), "output.frame", WrongType),
        (json!({"range": [1]}), "output.range", WrongType),
        (json!({"range": "0-1"}), "output.range", WrongType),
        (json!({"range": [0, 1.5]}), "output.range[1]", WrongType),
        (json!({"scale": "2"}), "output.scale", WrongType),
        (json!({"scale": 0}), "output.scale", OutOfRange),
    ] {
        let error = refused(&json!({"templateId": "t", "output": output}));
        let found: Vec<_> = error.problems().iter().map(|p| (p.path.as_str(), p.kind)).collect();
        assert_eq!(found, [(path, kind)]);
    }
}

#[test]
fn a_film_named_by_a_wrong_type_is_one_problem() {
    let error = refused(&json!({"templateId": 5}));
    let found: Vec<_> = error.problems().iter().map(|p| (p.path.as_str(), p.kind)).collect();
    assert_eq!(found, [("templateId", ProblemKind::WrongType)]);
}

#[test]
fn narration_is_what_sounds_under_that_name_and_what_the_request_speaks_if_none_is_named() {
    let voice = with_overlay(json!({"type": "sound", "name": "Voice", "src": "voice.mp3"}));
    let title = with_overlay(json!({"type": "text", "name": "Voice", "content": "Hello"}));
    let film = |value: &Value| common::read(value).composition;
    let named = |names: &[&str]| Finish::read(&json!({"ducking": {"narration": names}})).unwrap();
    assert!(named(&["Voice"]).check(&film(&voice)).is_ok());
    let error = named(&["Voice", "Choir"]).check(&film(&voice)).unwrap_err();
    assert_eq!(error.problems()[0].path, "audio.ducking.narration[1]");
    assert_eq!(error.reason(), "INVALID_ENUM_VALUE");
    assert!(named(&["Voice"]).check(&film(&title)).is_err(), "a text cannot be heard");

    let mut usual = Finish::read(&json!({"ducking": true})).unwrap();
    assert!(usual.narration().is_empty());
    usual.narrated_by(vec!["Spoken".to_owned()]);
    assert_eq!(usual, named(&["Spoken"]));
    let mut other = named(&["Voice"]);
    other.narrated_by(vec!["Spoken".to_owned()]);
    assert_eq!(other, named(&["Voice"]));
}

#[test]
fn limits_on_replacements_metadata_and_addresses_hold() {
    let many = |count: usize| -> Value { (0..count).map(|i| (format!("k{i}"), json!(1))).collect() };
    read(&json!({"templateId": "t", "replacements": many(200), "metadata": many(50)}));
    let error = refused(&json!({
        "templateId": "t", "replacements": many(201), "metadata": many(51), "webhookUrl": "ftp://example.com",
    }));
    let found: Vec<_> = error.problems().iter().map(|p| (p.path.as_str(), p.kind)).collect();
    assert_eq!(
        found,
        [
            ("webhookUrl", ProblemKind::WrongType),
            ("metadata", ProblemKind::OutOfRange),
            ("replacements", ProblemKind::OutOfRange),
        ]
    );
}

#[test]
fn a_file_holds_a_composition_or_a_direct_request() {
    let film = text_with_styles(json!({"colour": "red"}));
    let bare = read_composition_or_request(&film, Limits::default()).unwrap();
    let body = json!({"inputProps": film, "width": 320});
    let wrapped = read_composition_or_request(&body, Limits::default()).unwrap();
    assert_eq!(bare.composition.overlays, wrapped.composition.overlays);
    assert_eq!(wrapped.composition.width, 320);
    assert_eq!(bare.remarks.unknown_fields, ["overlays[0].styles.colour"]);
    assert_eq!(wrapped.remarks.unknown_fields, ["inputProps.overlays[0].styles.colour"]);

    let template = read_composition_or_request(&json!({"templateId": "t"}), Limits::default()).unwrap_err();
    assert!(template.to_string().contains("stored on a server"), "{template}");
}
